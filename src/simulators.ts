import type { Simulator } from '#sandbox/simulator.ts';

/** Every simulated provider that the sandbox hosts. */
export const simulators: readonly Simulator[] = [];
