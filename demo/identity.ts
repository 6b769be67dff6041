import { setTimeout as pause } from 'node:timers/promises';
import type { LoggedIn, Organisation } from './people.ts';
import { mustEqual, type Service, UnexpectedResponse } from './service.ts';

const WEBHOOK_MS = 15_000;

/** A hosted verification, finished by the sandbox's reviewer, reported to the service by webhook. */
export async function verification(
  service: Service,
  { admin, client_id }: Organisation,
): Promise<void> {
  service.part('Identity verification by the hosted page');
  const { user_id } = admin;
  const link = await service.call('POST /ekyc/idv/websdk/{userId}', {
    as: admin,
    params: { userId: user_id },
    body: {},
  });
  service.note(`A person would open ${link.text('sdkLink')}`);
  await service.sandbox('POST /identity/reviews', {
    externalUserId: String(user_id),
    type: 'KYC',
    reviewAnswer: 'GREEN',
  });
  const status = await approval(service, admin, client_id);
  service.note(`ekyc_status is ${status}`);
}

/** The webhook is processed after it was acknowledged, hence the patience. */
async function approval(service: Service, admin: LoggedIn, client_id: number): Promise<string> {
  for (let waited = 0; waited < WEBHOOK_MS; waited += 250) {
    const answer = await service.call('GET /ekyc/status/{user_id}', {
      as: admin,
      params: { user_id: admin.user_id },
      query: { client_id },
    });
    if (answer.text('data.ekyc_status') === 'APPROVED') return 'APPROVED';
    await pause(250);
  }
  throw new UnexpectedResponse('The verification was never approved');
}

/** Logs in with another provider's token, twice: the first time makes the user. */
export async function externalLogin(service: Service, run: string): Promise<void> {
  service.part('External log-in: the first time registers');
  const issued = await service.sandbox('POST /extauth/tokens', {
    ext_user_id: `did:demo:${run}`,
    provider: 'google_oauth',
    email: `external-${run}@demo.test`,
  });
  const logIn = () =>
    service.call('POST /extauth/auth/login', {
      body: { ext_token: issued.text('token') },
      describe: (answer) => answer.text('message'),
    });
  const first = await logIn();
  const second = await logIn();
  const user = 'data.user.user_id';
  mustEqual('the user of the second log-in', second.number(user), first.number(user));
  await service.call('GET /extauth/auth/profile', {
    as: { token: second.text('data.token') },
    describe: (answer) => `${answer.number('data.total_connected_accounts')} connected account`,
  });
}

/** Onboards the user at the partner, whose staff then verifies them. */
export async function partnerCustomer(service: Service, user: LoggedIn): Promise<void> {
  service.part('A customer of the partner PSP');
  const { user_id } = user;
  const customer = await service.call('POST /pspb/customers', {
    as: user,
    body: { user_id },
    describe: (answer) => `${answer.text('id')} ${answer.text('status')}`,
  });
  const path = `POST /partner/customers/${customer.text('id')}/status` as const;
  await service.sandbox(path, { status: 'verified' });
  const synced = await service.call('GET /pspb/status/sync', {
    as: user,
    query: { user_id },
    describe: (answer) =>
      `${answer.text('previous_status')} → ${answer.text('current_status')}, ` +
      `${answer.list('changes_detected').length} changes`,
  });
  mustEqual('the status', synced.text('current_status'), 'verified');
}
