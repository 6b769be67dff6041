import type { Answered, OperationSpec, Params } from './call.ts';
import { ArchipayError, ConflictError } from './errors.ts';
import { type Call, endingOf, KEY_AGE_MAX } from './send.ts';

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
  readonly by: Maker;
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
  /** Calls that cannot be repeated: too old, of another API key, refused before they began, or without stored values. Their owner has to look them up. */
  readonly onStale?: (call: StoredCall) => unknown;
}

/** Who made a call: the service knows its key by both, and under another one it would do it again. */
export interface Maker {
  /** Of the application's key. */
  readonly key: string;
  readonly person: string;
}

type Send = (call: Call) => Promise<Answered<unknown>>;

/** Keeps calls in that store, for one maker. */
export interface ExactlyOnce {
  run(call: Call, send: Send): Promise<Answered<unknown>>;
  recover(send: Send, options: RecoverOptions): Promise<number>;
}

interface Credentials {
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
}

/** A call is kept before it is sent and closed when its outcome is known; a closed one answers from the store. */
export function exactlyOnceOf(store: Store, { apiKey, token }: Credentials): ExactlyOnce {
  const maker = () => makerOf(apiKey, token);
  /** Answers what it has answered, or throws; a failure that ends it has closed it. */
  const sent = async (send: Send, call: Call, key: string) => {
    const closed = (ending: Ending) => store.close(key, ending);
    try {
      const answered = await send({ ...call, closed });
      await closed({ done: answered.data, status: answered.status });
      return answered;
    } catch (error) {
      const ending = endingOf(error);
      if (ending) await closed(ending);
      throw error;
    }
  };
  return {
    async run({ spec, params, options }, send) {
      const key = options.idempotencyKey ?? crypto.randomUUID();
      const by = await maker();
      const earlier = await store.find(key);
      if (earlier) {
        checkSame(earlier, { spec, params, by });
        if (earlier.ending) return again(earlier.ending, key);
        if (!isRepeatable(earlier, by)) throw tooOld(key);
      } else {
        const kept = spec[3]?.secret ? null : params;
        await store.put({ key, by, spec, params: kept, at: Date.now() });
      }
      const isRepeated = earlier !== undefined;
      const call = { spec, params, options: { ...options, idempotencyKey: key }, isRepeated };
      return sent(send, call, key);
    },
    async recover(send, { onResolved, onStale }) {
      const by = await maker();
      let resolved = 0;
      for (const call of await store.open()) {
        const { key, spec, params } = call;
        // Another person's: only a client in their name can repeat it.
        if (call.by.person !== by.person) continue;
        if (params === null || !isRepeatable(call, by)) {
          await onStale?.(call);
          continue;
        }
        const options = { idempotencyKey: key };
        const ended = await sent(send, { spec, params, options, isRepeated: true }, key).catch(
          (error: unknown) => {
            if (endingOf(error)) return true;
            if (!(error instanceof ArchipayError) || error.retryable) throw error;
            return false;
          },
        );
        const ending = (await store.find(key))?.ending;
        if (!ended || !ending) {
          await onStale?.(call);
          continue;
        }
        resolved += 1;
        await onResolved?.(call, ending);
      }
      return resolved;
    },
  };
}

/** Under another key of the application the service would not know the call again. */
const isRepeatable = ({ at, by }: StoredCall, now: Maker): boolean =>
  Date.now() - at <= KEY_AGE_MAX && by.key === now.key;

function again(ending: Ending, key: string): Answered<unknown> {
  if ('refused' in ending) {
    const { message, ...facts } = ending.refused;
    throw new ArchipayError(message, { ...facts, outcome: 'refused', idempotencyKey: key });
  }
  return {
    data: ending.done,
    status: ending.status,
    headers: new Headers(),
    requestId: undefined,
    replayed: true,
    idempotencyKey: key,
    ignoredFields: [],
  };
}

function checkSame(
  { key, by, spec, params }: StoredCall,
  now: Pick<Call, 'spec' | 'params'> & { readonly by: Maker },
): void {
  const isSame =
    by.person === now.by.person &&
    spec[0] === now.spec[0] &&
    (params === null || sorted(params) === sorted(now.params));
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
  new ArchipayError(
    'The call is too old, or of another API key, and must not be repeated: look its outcome up',
    {
      code: 'KEY_TOO_OLD',
      outcome: 'unknown',
      idempotencyKey: key,
    },
  );

/** Of neither the key nor the token can be read in a store. */
const makerOf = async (apiKey = '', token = ''): Promise<Maker> => ({
  key: await digestOf(apiKey),
  person: await digestOf(subjectOf(token)),
});

/** Whose token it is, the same after each log-in. */
function subjectOf(token: string): string {
  try {
    const [, claims = ''] = token.split('.');
    const { sub } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
    return sub === undefined ? token : String(sub);
  } catch {
    return token;
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
