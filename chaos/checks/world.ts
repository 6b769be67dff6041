import type { Db } from '#kernel/db/db.ts';
import type { Books } from '../clients/books.ts';
import type { Call, Person } from '../clients/cast.ts';
import type { Guest } from '../clients/guests.ts';
import type { Mode } from '../plan/plan.ts';
import type { ChainsSeen } from './chains.ts';

/** The sources of everything that the books are compared with. */
export interface World {
  readonly books: Books;
  readonly people: readonly Person[];
  /** The guests stopped during the run, by the name of the flow. */
  readonly guests: ReadonlyMap<string, Guest>;
  /** The token of an admin of the operator. */
  readonly operator: string;
  readonly seed: number;
  readonly mode: Mode;
  readonly folder: string;
  readonly api: Call;
  readonly sandbox: Call;
  readonly db: Db;
  /** The chains' state before the first operation. */
  readonly before: ChainsSeen;
  readonly hook: Hook;
}

/** An endpoint of webhooks for all events, and the receiver behind it. */
export interface Hook {
  readonly endpoint_id: string;
  readonly secret: string;
  readonly box: string;
}
