import type { CancelsApprovals } from '#features/accounts/approvals/approvals.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { FreshProof } from '#kernel/access/fresh-proof.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** Of everything that changes a team. */
export type TeamDeps = Pick<
  Kernel,
  'db' | 'clock' | 'credentials' | 'passwords' | 'publicUrl' | 'sessions' | 'vault'
> & {
  readonly messages: Messages;
  readonly freshProof: FreshProof;
  readonly approvals: CancelsApprovals;
};
