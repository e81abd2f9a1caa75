"""The nets that `bench.coup_policy` learns with."""

from __future__ import annotations

import numpy as np

from bench.networks import Adam, Floats, Net


def loss(net: Net, inputs: Floats, wanted: Floats) -> float:
    """Return half the sum of squared errors."""
    return float(((net.outputs(inputs)[-1] - wanted) ** 2).sum() / 2)


def test_gradient_is_the_slope_of_the_loss_by_each_weight() -> None:
    """Measured by small steps either way, at some weights and biases of all layers."""
    rng = np.random.default_rng(3)
    net = Net((4, 6, 5, 2), rng)
    net.vector += rng.normal(0, 0.3, net.vector.shape).astype(np.float32)
    inputs = rng.normal(0, 1, (9, 4)).astype(np.float32)
    wanted = rng.normal(0, 1, (9, 2)).astype(np.float32)
    outputs = net.outputs(inputs)
    found = net.gradient(outputs, outputs[-1] - wanted)
    step = np.float32(1e-2)
    for place in range(0, len(net.vector), 3):
        before = net.vector[place]
        net.vector[place] = before + step
        above = loss(net, inputs, wanted)
        net.vector[place] = before - step
        below = loss(net, inputs, wanted)
        net.vector[place] = before
        assert abs((above - below) / (2 * step) - found[place]) < 0.05 * max(1, abs(found[place]))


def test_steps_of_adam_lead_to_a_smaller_loss() -> None:
    """A net of two layers learns a product, which no linear function is."""
    rng = np.random.default_rng(5)
    inputs = rng.choice([-1.0, 1.0], (64, 2)).astype(np.float32)
    wanted = inputs.prod(axis=1, keepdims=True)
    net = Net((2, 16, 1), rng)
    steps = Adam(net.vector)
    first = loss(net, inputs, wanted)
    for _ in range(300):
        outputs = net.outputs(inputs)
        steps.step(net.gradient(outputs, (outputs[-1] - wanted) / 64), 0.02)
    assert loss(net, inputs, wanted) < first / 20
