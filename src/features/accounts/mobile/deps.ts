import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { LoginCodes } from '#features/accounts/two-factor/two-factor.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Attempts } from '#kernel/access/attempts.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';

import type { DeviceProof } from './device-key.ts';

export type MobileDeps = Pick<
  Kernel,
  'db' | 'clock' | 'config' | 'vault' | 'jobs' | 'sessions' | 'publicUrl' | 'quotas'
> & {
  readonly attempts: Attempts;
  readonly codes: LoginCodes;
  readonly messages: Messages;
  readonly notices: SecurityNotices;
};

/** A log-in by an app: its key, network and proof of the device's key. */
export interface MobileEntering {
  readonly key: ApiKey;
  readonly request: RequestFacts;
  readonly proof: DeviceProof;
}
