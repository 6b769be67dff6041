import type { PasswordLogInDeps } from '#features/accounts/sign-in/sign-in.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { AppScope } from './scopes.ts';

export type ConnectedAppDeps = PasswordLogInDeps &
  Pick<Kernel, 'db' | 'credentials' | 'quotas' | 'publicUrl'> & {
    /** The scopes of a key with which an app does what these allow. */
    keyScopesOf(scopes: readonly AppScope[]): readonly string[];
  };
