"""A confidence says how often such a reading is right, on data not trained on."""

import numpy as np
import pytest

from vision.training.calibrate import calibration_error, fit, softmax


def test_overconfident_logits_get_a_temperature_that_makes_them_honest() -> None:
    rng = np.random.default_rng(2)
    wanted = rng.integers(0, 5, 4000)
    honest = rng.normal(0, 1, (4000, 5))
    honest[np.arange(4000), wanted] += 2.0
    tuned = fit(honest * 3, wanted)
    assert tuned.temperature > 1.2
    assert tuned.error < 0.03


def test_the_threshold_keeps_wrong_readings_rare() -> None:
    rng = np.random.default_rng(3)
    wanted = rng.integers(0, 5, 4000)
    logits = rng.normal(0, 1, (4000, 5))
    logits[np.arange(4000), wanted] += 4.0
    tuned = fit(logits, wanted, most_wrong=0.005)
    assert tuned.wrong <= 0.005
    assert 0.4 <= tuned.threshold <= 0.99
    assert 0.5 < tuned.kept <= 1


def test_softmax_rows_add_up_to_one_even_for_huge_logits() -> None:
    rows = softmax(np.array([[1000.0, 0.0], [-1000.0, 1000.0]]))
    assert rows.sum(axis=1) == pytest.approx([1, 1])


def test_sure_and_always_wrong_is_the_worst_calibration() -> None:
    assert calibration_error(np.full(10, 0.99), np.zeros(10, bool)) == pytest.approx(0.99)
