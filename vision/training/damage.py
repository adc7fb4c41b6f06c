"""What a camera and a recorder do to a picture: light, blur, noise, colour and compression."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.grounds import clouds

Pixels = NDArray[np.uint8]
Field = NDArray[np.float32]


def light(canvas: Pixels, rng: np.random.Generator, size: float) -> Pixels:
    """Return the picture under uneven light, with shadows of things not seen and with glare.

    `size` is a card's height in pixels; glare is about as large.
    """
    h, w = canvas.shape[:2]
    side = max(h, w)
    gain = 1 + clouds(rng, side, int(rng.integers(2, 5)))[:h, :w] * rng.uniform(0, 0.22)
    if rng.random() < 0.35:
        gain *= _shadow(rng, (h, w))
    lit = np.asarray(canvas * np.clip(gain, 0.12, 2)[..., None], np.float32)
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 4))):
            lit += _glare(rng, (h, w), size)[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _shadow(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    h, w = shape
    mask = np.ones((h, w), np.float32)
    points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (w, h)
    cv2.fillPoly(mask, [points.astype(np.int32)], float(rng.uniform(0.3, 0.8)))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, w / 20))), np.float32)


def _glare(rng: np.random.Generator, shape: tuple[int, int], size: float) -> Field:
    h, w = shape
    spot = np.zeros((h, w), np.float32)
    at = (int(rng.integers(0, w)), int(rng.integers(0, h)))
    axes = (max(2, int(size * rng.uniform(0.1, 0.9))), max(2, int(size * rng.uniform(0.1, 0.6))))
    power = float(rng.uniform(40, 230))
    cv2.ellipse(spot, at, axes, float(rng.uniform(0, 180)), 0, 360, power, -1)
    soft = max(1.0, size * float(rng.uniform(0.08, 0.4)))
    return np.asarray(cv2.GaussianBlur(spot, (0, 0), soft), np.float32)


def camera(canvas: Pixels, rng: np.random.Generator, *, hard: float = 1.0) -> Pixels:
    """Return the picture as a camera and a recorder would hand it over.

    Args:
        canvas: UInt8 (H, W, 3), RGB.
        rng: The source of chance.
        hard: Strength of blur and loss; 0 leaves only mild ones.

    Returns:
        UInt8 (H, W, 3), RGB, of the same size.
    """
    picture = _blur(canvas, rng, hard)
    if rng.random() < 0.18 * hard:
        picture = _shrink(picture, rng)
    picture = _colour(picture, rng)
    noise = min(14.0, float(rng.exponential(3.5))) * min(1.0, 0.4 + hard)
    if noise > 0.3:
        grain = rng.standard_normal((*picture.shape[:2], 1)).astype(np.float32)
        tint = rng.standard_normal((picture.shape[0] // 2, picture.shape[1] // 2, 3))
        chroma = cv2.resize(tint.astype(np.float32), picture.shape[1::-1])
        noisy = picture.astype(np.float32) + noise * (grain + 0.6 * chroma)
        picture = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        picture = _sharpen(picture, rng)
    return _compress(picture, rng, hard)


def _blur(canvas: Pixels, rng: np.random.Generator, hard: float) -> Pixels:
    sigma = float(rng.exponential(0.45)) * hard
    picture = canvas
    if sigma > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), min(sigma, 2.5)), np.uint8)
    if rng.random() < 0.2 * hard:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        middle = length / 2
        ends = [(int(middle + s * reach[0]), int(middle + s * reach[1])) for s in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        kernel /= max(float(kernel.sum()), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel), np.uint8)
    return picture


def _shrink(picture: Pixels, rng: np.random.Generator) -> Pixels:
    h, w = picture.shape[:2]
    share = float(rng.uniform(0.45, 0.85))
    small = cv2.resize(picture, (int(w * share), int(h * share)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)


def _colour(picture: Pixels, rng: np.random.Generator) -> Pixels:
    gain = np.exp(rng.normal(0, 0.09, 3) + rng.normal(0.0, 0.25)).astype(np.float32)
    if rng.random() < 0.12:
        gain *= float(rng.uniform(0.2, 0.6))
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    curve = (levels * gain) ** float(np.exp(rng.normal(0, 0.18)))
    lifted = curve * 255 * float(rng.uniform(0.8, 1.0)) + float(rng.uniform(0, 22))
    table = np.clip(lifted, 0, 255).astype(np.uint8)
    toned = cv2.LUT(picture, np.ascontiguousarray(table[None]))
    share = float(rng.uniform(0.5, 1.25)) if rng.random() < 0.9 else 0.0
    if rng.random() < 0.6:
        grey = cv2.cvtColor(toned, cv2.COLOR_RGB2GRAY)[..., None].astype(np.float32)
        toned = np.clip(grey + (toned.astype(np.float32) - grey) * share, 0, 255)
    return np.asarray(toned, np.uint8)


def _sharpen(picture: Pixels, rng: np.random.Generator) -> Pixels:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.5)
    power = float(rng.uniform(0.3, 1.2))
    return np.asarray(cv2.addWeighted(picture, 1 + power, soft, -power, 0), np.uint8)


def _compress(picture: Pixels, rng: np.random.Generator, hard: float) -> Pixels:
    if rng.random() > 0.25 + 0.5 * hard:
        return picture
    quality = int(np.clip(rng.normal(65, 22), 18, 97))
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    if back is None:
        return picture
    if quality < 40 and rng.random() < 0.6:  # a video's deblocking filter
        back = cv2.bilateralFilter(back, 5, 18, 2)
    return np.asarray(back, np.uint8)
