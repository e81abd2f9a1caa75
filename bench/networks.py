"""A net of layers with rectified units, its gradient, and the steps of Adam: what `bench.coup_policy` learns with."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]


class Net:
    """Layers of weights and biases, all in one vector, so that steps and averages are taken at once.

    `sizes`: the inputs, the units of each layer, and the outputs. The last layer begins near zero.
    """

    def __init__(self, sizes: tuple[int, ...], rng: np.random.Generator) -> None:
        self.sizes = sizes
        shapes = [shape for rows, columns in pairwise(sizes) for shape in ((rows, columns), (columns,))]
        self.vector: Floats = np.zeros(sum(int(np.prod(shape)) for shape in shapes), np.float32)
        self._shapes = shapes
        weights = self.layers(self.vector)
        for number, (weight, _) in enumerate(weights):
            last = number == len(weights) - 1
            scale = 0.01 if last else np.sqrt(2 / weight.shape[0])
            weight[:] = rng.normal(0, scale, weight.shape)

    def layers(self, vector: Floats) -> list[tuple[Floats, Floats]]:
        """Return weights and biases of each layer as views of a vector."""
        found: list[Floats] = []
        place = 0
        for shape in self._shapes:
            size = int(np.prod(shape))
            found.append(vector[place : place + size].reshape(shape))
            place += size
        return list(zip(found[::2], found[1::2], strict=True))

    def outputs(self, inputs: Floats) -> list[Floats]:
        """Return what each layer gives for rows of inputs, the inputs first."""
        found = [inputs]
        layers = self.layers(self.vector)
        for number, (weight, bias) in enumerate(layers):
            values = found[-1] @ weight
            values += bias
            if number < len(layers) - 1:
                np.maximum(values, 0, out=values)
            found.append(values)
        return found

    def gradient(self, outputs: list[Floats], by_output: Floats) -> Floats:
        """Return the gradient by all weights from that by the last layer's output."""
        found = np.empty_like(self.vector)
        slopes, layers = self.layers(found), self.layers(self.vector)
        rest = by_output
        for number in range(len(layers) - 1, -1, -1):
            weight, bias = slopes[number]
            np.matmul(outputs[number].T, rest, out=weight)
            rest.sum(axis=0, out=bias)
            if number:
                rest = rest @ layers[number][0].T
                rest *= outputs[number] > 0
        return found


class Adam:
    """Steps of a vector against its gradient (Kingma and Ba 2014), the gradient cut to a longest length."""

    def __init__(self, vector: Floats, longest: float = 0.5) -> None:
        self._vector = vector
        self._mean: Floats = np.zeros_like(vector)
        self._square: Floats = np.zeros_like(vector)
        self._steps = 0
        self._longest = longest

    def step(self, gradient: Floats, rate: float) -> None:
        """Take one step."""
        self._steps += 1
        length = float(np.sqrt(gradient @ gradient))
        gradient = gradient * np.float32(min(1.0, self._longest / (length + 1e-9)))
        self._mean *= 0.9
        self._mean += 0.1 * gradient
        self._square *= 0.999
        self._square += 0.001 * gradient * gradient
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        self._vector -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-5))
