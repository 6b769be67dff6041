import type { Health, NewAttempt } from './delivery-store.ts';
import type { Parked } from './lanes.ts';
import type { Task } from './task.ts';

/** What an endpoint turns to. */
export type Turn = 'failing' | 'recovered' | 'expired' | 'gone' | 'not_public';

/** What has come of tries and is to be written down. */
export interface WebhookBatch {
  readonly attempts: NewAttempt[];
  readonly parked: Map<string, Parked>;
  readonly unparked: Parked[];
  readonly replays: Map<number, number>;
  /** Whose results these are: they count as under way until it is written. */
  readonly tasks: Task[];
  turn: Turn | undefined;
}

/** A batch that is complete, and how it stood with the endpoint then. */
export type Written = WebhookBatch & { readonly place: number; readonly health: Health };

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

/** The last word on a row counts. */
export const put = (batch: WebhookBatch, row: Parked): void =>
  void batch.parked.set(`${row.position} ${row.lane}`, row);

/** What has failed and recovered before it was written down has done neither. */
export function turnTo(batch: WebhookBatch, turn: Turn): void {
  batch.turn = batch.turn === 'failing' && turn === 'recovered' ? undefined : turn;
}
