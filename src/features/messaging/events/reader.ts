import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { KeyCaller, UserCaller } from '#kernel/http/declare/route.ts';
import { ownerOfKey, type Reader } from './store.ts';

type Caller = KeyCaller | UserCaller;

/** For `permit`: a log-in, or a key with an owner. Throws FORBIDDEN. */
export function somebodyOnly(caller: Caller): void {
  if (!('user_id' in caller) && caller.key.user_id === null) throw nobodys();
}

/** A key alone reads what its owner may read. Throws FORBIDDEN. */
export async function readerOf(db: Db, caller: Caller): Promise<Reader> {
  if ('user_id' in caller) return scopeOf(caller);
  const { user_id } = caller.key;
  const owner = user_id === null ? undefined : await ownerOfKey(db, user_id);
  if (!owner) throw nobodys();
  return scopeOf({ ...owner, operator: isOperator(owner) });
}

const nobodys = () =>
  fail('FORBIDDEN', 'This API key belongs to no client: log in, or use a key of your own');

const isOperator = ({ role, client_id }: { role: string; client_id: number }): boolean =>
  role === 'admin' && client_id === OPERATOR_CLIENT_ID;

function scopeOf({
  operator,
  role,
  client_id,
  user_id,
}: Pick<UserCaller, 'operator' | 'client_id' | 'user_id'> & { readonly role: string }): Reader {
  if (operator) return {};
  return role === 'admin' ? { client_id } : { client_id, user_id };
}
