import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { Arguments } from './tool.ts';

/** For how long a person may agree: long enough to read and to answer. */
export const CONFIRM_WITHIN_MS = 5 * 60_000;
/** Sealed here and opened here, for no other purpose. */
const PURPOSE = 'mcp-confirmation';

/** What a person is asked to agree to. */
export interface ConfirmedCall {
  readonly caller: Pick<UserCaller, 'user_id' | 'session_id'>;
  readonly tool: string;
  readonly given: Arguments;
  /** The sentence that the person reads. */
  readonly what: string;
}

export interface ToolConfirmation {
  readonly confirmation: string;
  readonly expires_at: string;
}

interface Sealed {
  readonly id: string;
  readonly until: number;
}

/**
 * Agreement to exactly one payment: it is bound to the log-in, the tool, every argument and the sentence that the
 * person has read, and its id is the payment's operation, so that one agreement pays once however often it is sent.
 */
export function createConfirmations({ vault, clock }: { vault: Vault; clock: Clock }) {
  return {
    ask(call: ConfirmedCall): ToolConfirmation {
      const until = clock.now().getTime() + CONFIRM_WITHIN_MS;
      const sealed: Sealed = { id: randomUUID(), until };
      return {
        confirmation: vault.seal(JSON.stringify(sealed), contextOf(call)),
        expires_at: new Date(until).toISOString(),
      };
    },
    /** The id of the payment that was agreed to; throws for another one, or when it is too late. */
    accept(confirmation: string, call: ConfirmedCall): string {
      const { id, until } = open(confirmation, call);
      if (until < clock.now().getTime())
        throw fail('CONFIRMATION_REQUIRED', 'The confirmation has expired: ask again without it');
      return id;
    },
  };

  function open(confirmation: string, call: ConfirmedCall): Sealed {
    try {
      return JSON.parse(vault.open(confirmation, contextOf(call))) as Sealed;
    } catch (cause) {
      throw fail(
        'CONFIRMATION_REQUIRED',
        'The confirmation does not belong to these arguments: ask again without it',
        { cause },
      );
    }
  }
}

export type Confirmations = ReturnType<typeof createConfirmations>;

function contextOf({ caller, tool, given, what }: ConfirmedCall): string {
  const sorted = Object.keys(given)
    .sort()
    .map((name) => [name, given[name]]);
  return JSON.stringify([PURPOSE, caller.user_id, caller.session_id, tool, sorted, what]);
}
