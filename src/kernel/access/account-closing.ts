import { fail } from '#kernel/error.ts';
import type { AnyEndpoint, Auth, Caller } from '../http/declare/route.ts';

/**
 * Throws ACCOUNT_CLOSING for the user of an account that is being closed, at whatever moves money by its declaration.
 * What had begun before is found when the time of the erasure has come.
 */
export function refuseWhileClosing(
  { movesMoney }: Pick<AnyEndpoint, 'movesMoney'>,
  caller: Caller<Auth>,
): void {
  if (movesMoney && caller && 'closing' in caller && caller.closing)
    throw fail('ACCOUNT_CLOSING', 'Account is being closed', {
      hint: 'POST /profile/close/cancel keeps the account.',
    });
}
