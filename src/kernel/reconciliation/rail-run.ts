import type { Kernel } from '../kernel.ts';
import type { Rail } from './rail.ts';
import type { SideName } from './side-store.ts';

export type ReconcileDeps = Pick<Kernel, 'db' | 'clock' | 'log'>;

/** One run over one rail. */
export interface RailRun extends ReconcileDeps {
  readonly rail: Rail;
  /** What is later is the next run's. */
  readonly upto: Date;
  readonly signal: AbortSignal;
  /** Sides whose days are read again by this run, whether or not it is time for that. */
  readonly again: Set<SideName>;
  /** What the run has come to so far. */
  readonly done: { found: number; resolved: number };
}
