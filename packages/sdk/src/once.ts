import type { Answered, CallOptions, OperationSpec, Params } from './call.ts';
import { ArchipayError, ConflictError } from './errors.ts';
import { type Call, KEY_AGE_MAX } from './send.ts';

/** How a call has ended. */
export type Ending =
  | { readonly done: unknown; readonly status: number }
  | {
      readonly refused: {
        readonly status: number;
        readonly code: string;
        readonly message: string;
      };
    };

/** A call that moves money, kept before it is sent. */
export interface StoredCall {
  readonly key: string;
  readonly spec: OperationSpec;
  /** Null where they have a card number or another secret, which is not stored. */
  readonly params: Params | null;
  readonly at: number;
  readonly ending?: Ending;
}

/** Where calls are kept; each method resolves once what it did cannot be lost. */
export interface Store {
  find(key: string): Promise<StoredCall | undefined>;
  put(call: StoredCall): Promise<void>;
  close(key: string, ending: Ending): Promise<void>;
  open(): Promise<readonly StoredCall[]>;
}

export interface RecoverOptions {
  readonly onResolved?: (call: StoredCall, ending: Ending) => unknown;
  /** Calls that cannot be repeated: too old, or their values are not stored. Their owner has to look them up. */
  readonly onStale?: (call: StoredCall) => unknown;
}

type Send = (
  spec: OperationSpec,
  params: Params,
  options: CallOptions,
) => Promise<Answered<unknown>>;

export interface ExactlyOnce {
  run<Answer>(
    call: Call,
    send: (options: CallOptions) => Promise<Answered<Answer>>,
  ): Promise<Answered<Answer>>;
  recover(send: Send, options: RecoverOptions): Promise<number>;
}

/** A call is kept before it is sent and closed when its outcome is known; a closed one answers from the store. */
export function exactlyOnceOf(store: Store): ExactlyOnce {
  return {
    async run<Answer>(
      { spec, params, options }: Call,
      send: (o: CallOptions) => Promise<Answered<Answer>>,
    ) {
      const key = options.idempotencyKey ?? crypto.randomUUID();
      const earlier = await store.find(key);
      if (earlier) {
        checkSame(earlier, spec, params);
        if (earlier.ending) return again<Answer>(earlier.ending, key);
        if (Date.now() - earlier.at > KEY_AGE_MAX) throw tooOld(key);
      } else {
        const kept = spec[3]?.secret ? null : params;
        await store.put({ key, spec, params: kept, at: Date.now() });
      }
      try {
        const answered = await send({ ...options, idempotencyKey: key });
        await store.close(key, { done: answered.data, status: answered.status });
        return answered;
      } catch (error) {
        if (error instanceof ArchipayError && isFinal(error))
          await store.close(key, refusal(error));
        throw error;
      }
    },
    async recover(send, { onResolved, onStale }) {
      let resolved = 0;
      for (const call of await store.open()) {
        const isStale = call.params === null || Date.now() - call.at > KEY_AGE_MAX;
        if (isStale || call.params === null) {
          await onStale?.(call);
          continue;
        }
        try {
          await send(call.spec, call.params, { idempotencyKey: call.key });
        } catch (error) {
          if (!(error instanceof ArchipayError) || !isFinal(error)) throw error;
        }
        const ending = (await store.find(call.key))?.ending;
        if (!ending) continue;
        resolved += 1;
        await onResolved?.(call, ending);
      }
      return resolved;
    },
  };
}

/**
 * Whether a failure ends the call: a refusal that may succeed later, such as 429, or that says nothing of earlier
 * tries, such as 401, leaves it open for another run.
 */
const isFinal = ({ outcome, retryable, headers }: ArchipayError): boolean =>
  outcome === 'refused' && !retryable && headers?.get('x-archipay-outcome') === 'decided';

const refusal = ({ status, code, message }: ArchipayError): Ending => ({
  refused: { status, code, message },
});

function again<Answer>(ending: Ending, key: string): Answered<Answer> {
  if ('refused' in ending) {
    const { message, ...facts } = ending.refused;
    throw new ArchipayError(message, { ...facts, outcome: 'refused', idempotencyKey: key });
  }
  return {
    data: ending.done as Answer,
    status: ending.status,
    headers: new Headers(),
    requestId: undefined,
    replayed: true,
    idempotencyKey: key,
    ignoredFields: [],
  };
}

function checkSame({ key, spec, params }: StoredCall, now: OperationSpec, given: Params): void {
  const isSame = spec[0] === now[0] && (params === null || sorted(params) === sorted(given));
  if (isSame) return;
  throw new ConflictError(`The key ${key} belongs to another call`, { code: 'KEY_REUSED' });
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const tooOld = (key: string) =>
  new ArchipayError('The call is too old to be repeated: look its outcome up', {
    code: 'KEY_TOO_OLD',
    outcome: 'unknown',
    idempotencyKey: key,
  });
