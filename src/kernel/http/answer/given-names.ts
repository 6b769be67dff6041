import type { GivenNames, Metadata, NamesGiver } from '../../caller-names.ts';
import type { CreatedObject } from '../declare/caller-names.ts';
import type { AnyEndpoint, Auth, Caller } from '../declare/route.ts';

interface Apart {
  /** What the handler is called with. */
  readonly body: unknown;
  readonly names: GivenNames | undefined;
}

interface NamedBody {
  readonly reference?: string;
  readonly metadata?: Metadata;
}

/** Takes the names that a caller gives out of a valid body: they are the kernel's, and reach no handler. */
export function namesApart(
  endpoint: Pick<AnyEndpoint, 'creates'> | undefined,
  sent: unknown,
  caller: Caller<Auth>,
): Apart {
  const creates = endpoint?.creates;
  if (creates === undefined || typeof sent !== 'object' || sent === null)
    return { body: sent, names: undefined };
  const { reference, metadata, ...rest } = sent as NamedBody;
  if (reference === undefined && metadata === undefined) return { body: sent, names: undefined };
  const { kind, object, on }: CreatedObject =
    typeof creates === 'string' ? { kind: creates, object: creates } : creates;
  const by = giverOf(caller);
  const given = { reference: reference ?? null, metadata: metadata ?? {} };
  const event = on && `${object}.${on}`;
  return { body: rest, names: { kind, object, event, ...given, by } };
}

/** A key without a log-in may be in many hands: it sees what its user owns, where it has one. */
function giverOf(caller: Caller<Auth>): NamesGiver {
  if (caller === null || 'userx_id' in caller) return UNKNOWN;
  if (!('user_id' in caller)) {
    const { client_id, user_id } = caller.key;
    return { client_id, user_id, sees: user_id === null ? 'none' : 'own' };
  }
  const { client_id, user_id, role } = caller;
  return { client_id, user_id, sees: role === 'admin' ? 'all' : 'own' };
}

const UNKNOWN: NamesGiver = { client_id: null, user_id: null, sees: 'none' };
