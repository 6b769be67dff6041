import type { Health, NewAttempt, ParkedDelivery } from '../delivery-store.ts';
import type { EndpointTurn } from '../status-store.ts';
import type { Task } from './task.ts';

/** Results of attempts that are to be written. */
export interface WebhookBatch {
  readonly attempts: NewAttempt[];
  readonly parked: Map<string, ParkedDelivery>;
  readonly unparked: ParkedDelivery[];
  readonly replays: Map<number, number>;
  /** The tasks of these results: they count as in flight until the batch is written. */
  readonly tasks: Task[];
  turn: EndpointTurn | undefined;
}

/** A complete batch, with the endpoint's place and health at that time. */
export type SealedBatch = WebhookBatch & { readonly place: number; readonly health: Health };

export const newBatch = (): WebhookBatch => ({
  attempts: [],
  parked: new Map(),
  unparked: [],
  replays: new Map(),
  tasks: [],
  turn: undefined,
});

export const isEmpty = ({
  attempts,
  parked,
  unparked,
  replays,
  tasks,
  turn,
}: WebhookBatch): boolean =>
  attempts.length + parked.size + unparked.length + replays.size + tasks.length === 0 &&
  turn === undefined;

/** The latest state of a row counts. */
export const put = (batch: WebhookBatch, row: ParkedDelivery): void =>
  void batch.parked.set(`${row.position} ${row.lane}`, row);

/** A failure and a recovery in one batch cancel each other. */
export function turnTo(batch: WebhookBatch, turn: EndpointTurn): void {
  batch.turn = batch.turn === 'failing' && turn === 'recovered' ? undefined : turn;
}
