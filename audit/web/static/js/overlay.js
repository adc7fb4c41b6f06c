// Draws the recognised cards over a film, from what was recorded when they were recognised.

const PIPS = { S: "♠", H: "♥", D: "♦", C: "♣" };

function words(face) {
  if (face === null) return "";
  if (face === "?") return "?";
  return `${face[0] === "T" ? "10" : face[0]}${PIPS[face[1]] ?? ""}`;
}

export class Overlay {
  #canvas;
  #glimpses = [];
  shown = true;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  async load(url) {
    const answer = await fetch(url);
    if (!answer.ok) return;
    const { cards, moments } = await answer.json();
    this.#glimpses = moments.map(([at, places]) => ({ at, cards: places.map((place) => cards[place]) }));
  }

  #at(moment) {
    let low = 0;
    let high = this.#glimpses.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#glimpses[middle].at <= moment) low = middle + 1;
      else high = middle;
    }
    return this.#glimpses[low - 1]?.cards ?? [];
  }

  draw(moment, video) {
    const canvas = this.#canvas;
    const scale = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.width !== width * scale) canvas.width = width * scale;
    if (canvas.height !== height * scale) canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!this.shown || !video.videoWidth) return;
    // The picture lies in the middle of its frame.
    const fit = Math.min(width / video.videoWidth, height / video.videoHeight);
    const [across, down] = [video.videoWidth * fit, video.videoHeight * fit];
    const place = ([x, y]) => [(width - across) / 2 + x * across, (height - down) / 2 + y * down];
    for (const [face, confidence, corners, covered] of this.#at(moment)) {
      const quad = corners.map(place);
      pen.beginPath();
      quad.forEach(([x, y], index) => (index ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.setLineDash(covered ? [4, 4] : []);
      pen.lineWidth = 2;
      pen.strokeStyle = face === null ? "#9fc3da" : face === "?" ? "#f0b252" : "#4fe0b0";
      pen.stroke();
      if (face === null) continue;
      const [x, y] = quad.reduce((top, point) => (point[1] < top[1] ? point : top));
      // Certainty needs no figure; doubt does.
      label(pen, confidence < 0.99 ? `${words(face)} ${Math.floor(100 * confidence)}%` : words(face), x, y);
    }
  }
}

function label(pen, text, x, y) {
  pen.font = "600 12px system-ui, sans-serif";
  const width = pen.measureText(text).width + 8;
  pen.setLineDash([]);
  pen.fillStyle = "#06090bd9";
  pen.fillRect(x - 2, y - 20, width, 17);
  pen.fillStyle = "#ffffff";
  pen.fillText(text, x + 2, y - 7);
}
