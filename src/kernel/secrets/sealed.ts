import type { Vault } from './vault.ts';

/** Where sealed texts of one kind are kept, for who has to know whether they can be opened. */
export interface SealedKind {
  readonly what: string;
  /** A select of all of them: `sealed`, the `context` each opens with, and its `mark` where there is one. */
  readonly text: string;
  /** The fingerprint beside it, made again: it depends on the oldest master key. */
  readonly markOf?: (vault: Vault, opened: string, context: string) => Buffer;
}
