import type { Db } from '#kernel/db/db.ts';
import type { Books } from '../clients/books.ts';
import type { Call, Person } from '../clients/cast.ts';
import type { Guest } from '../clients/guests.ts';
import type { Mode } from '../plan/plan.ts';
import type { ChainsSeen } from './chains.ts';

/** Where everything is read that the books are held against. */
export interface World {
  readonly books: Books;
  readonly people: readonly Person[];
  /** Who was stopped in the course of the run, by the name of the flow. */
  readonly guests: ReadonlyMap<string, Guest>;
  /** The token of an admin of the operator. */
  readonly operator: string;
  readonly seed: number;
  readonly mode: Mode;
  readonly folder: string;
  readonly api: Call;
  readonly sandbox: Call;
  readonly db: Db;
  /** What was on the chains before the first operation. */
  readonly before: ChainsSeen;
  readonly hook: Hook;
}

/** An endpoint of webhooks that all that happens is sent to, and the receiver behind it. */
export interface Hook {
  readonly endpoint_id: string;
  readonly secret: string;
  readonly box: string;
}
