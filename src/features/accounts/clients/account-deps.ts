import type { PspCustomers } from '#features/accounts/psp-customers/psp-customers.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** Dependencies of creating an account, of a client or of one of its users. */
export type AccountDeps = Pick<
  Kernel,
  'db' | 'clock' | 'vault' | 'passwords' | 'config' | 'publicUrl' | 'quotas'
> & {
  readonly messages: Messages;
  readonly pspCustomers: PspCustomers;
};
