"""How the estimated shares of one question vary together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.noise import check_noise, choice_noise
from analysis.shares import share_columns

Array = NDArray[np.float64]
Row = dict[str, Any]


def covariance_rows(question: Row, counts: Array, n: int, options: list[int]) -> list[Row]:
    """Return the upper triangle of the covariance matrix, for a block of options."""
    shape, places = question["mechanism"], np.array(options)
    columns = share_columns(shape, counts, n, 1.0)
    share = columns["share"][places]
    if shape["name"] in ("smp", "privset"):
        noise_part = check_noise(shape, share, n)
        np.fill_diagonal(noise_part, columns["noise_variance"][places])
        # Boxes are ticked independently, so the sample adds no covariance.
        sampling = np.diag(columns["sampling_variance"][places])
    else:
        noise_part = choice_noise(shape, columns["share"], n, places)
        truth = np.diag(share) - np.outer(share, share)
        sampling = (truth + noise_part) / max(n - 1, 1)
    return [
        {
            **{"option_1": options[i], "option_2": options[j]},
            "noise_covariance": noise_part[i, j],
            "sampling_covariance": sampling[i, j],
            "population_covariance": noise_part[i, j] + sampling[i, j],
        }
        for i in range(len(options))
        for j in range(i, len(options))
    ]
