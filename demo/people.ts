import { Secret, TOTP } from 'otpauth';
import { mustEqual, type Person, type Service, UnexpectedResponse } from './service.ts';

/** The key of the demo client, for the sixth demo within an hour. */
const DEMO_KEY = `ak_demo_${'0'.repeat(64)}`;

export interface LoggedIn extends Person {
  readonly user_id: number;
  readonly email: string;
  readonly password: string;
}

export interface Organisation {
  readonly client_id: number;
  readonly admin: LoggedIn;
  readonly user: LoggedIn;
}

export async function apiKey(service: Service): Promise<void> {
  service.part('An API key');
  try {
    const made = await service.call('POST /keys/generate-sdk-key', {
      body: { provider_name: 'Demo' },
      describe: (answer) => `${answer.text('api_key').slice(0, 12)}…`,
    });
    service.useKey(made.text('api_key'));
  } catch (error) {
    if (!(error instanceof UnexpectedResponse) || !error.message.includes('answered 429'))
      throw error;
    service.note('Five keys an hour for one address: using the demo client’s.');
    service.useKey(DEMO_KEY);
  }
}

/** A company signs up, its admin logs in and creates a user. */
export async function organisation(service: Service, run: string): Promise<Organisation> {
  service.part('A client signs up; its admin gets a password by e-mail');
  const email = `admin-${run}@demo.test`;
  const created = await service.call('POST /clients/create_with_admin', {
    status: 201,
    body: {
      email,
      client_alias: `Demo ${run}`,
      client_type: 'BUSINESS',
      country_code: 'US',
      phone: '+12025550100',
    },
    describe: (answer) => answer.text('client.client_code'),
  });
  const client_id = created.number('client.client_id');
  const admin = await logIn(service, email, await service.message(email, 'Password'));

  service.part('The admin makes an instance and a user');
  await service.call('POST /clients/create-instance', {
    as: admin,
    status: 201,
    body: { instance_name: `Shop ${run}` },
    describe: (answer) => answer.text('instance.instance_name'),
  });
  const user = await newPerson(
    service,
    { admin, client_id },
    { name: `user-${run}`, role: 'user' },
  );
  return { client_id, admin, user };
}

interface NewPerson {
  readonly name: string;
  readonly role: 'admin' | 'user';
}

/** Somebody of the client, made by its admin; logs in with the password of the e-mail. */
export async function newPerson(
  service: Service,
  { admin, client_id }: Pick<Organisation, 'admin' | 'client_id'>,
  { name, role }: NewPerson,
): Promise<LoggedIn> {
  const email = `${name}@demo.test`;
  const made = await service.call('POST /admins/users', {
    as: admin,
    status: 201,
    body: { client_id, username: name, email, phone: '+12025550101', country_code: 'US', role },
    describe: (answer) => `${role} ${answer.number('user.user_id')}`,
  });
  const password = await service.message(email, 'Password');
  mustEqual('the e-mailed password', password, made.text('temp_password'));
  return logIn(service, email, password);
}

async function logIn(service: Service, email: string, password: string): Promise<LoggedIn> {
  const answer = await service.call('POST /auth/login', {
    body: { usernameoremail: email, password },
    describe: (answer) => `${answer.text('data.user.role')} ${answer.text('data.user.email')}`,
  });
  const user_id = answer.number('data.user.user_id');
  return { user_id, email, password, token: answer.text('data.token') };
}

/** Sets up an authenticator and logs in with it. */
export async function twoFactor(service: Service, user: LoggedIn): Promise<LoggedIn> {
  service.part('Two-factor: set up, then log in with it');
  const setUp = await service.call('POST /2fa/setup', {
    as: user,
    body: {},
    describe: (answer) => `QR code, ${answer.list('data.backup_codes').length} backup codes`,
  });
  const totp = new TOTP({ secret: Secret.fromBase32(setUp.text('data.secret')) });
  // The service's time, which may have been moved ahead of the machine's.
  const clock = await service.sandbox('GET /clock');
  const timestamp = Date.parse(clock.text('now'));
  await service.call('POST /2fa/enable', {
    as: user,
    body: { token: totp.generate({ timestamp }) },
  });
  const half = await service.call('POST /auth/login', {
    body: { usernameoremail: user.email, password: user.password },
    describe: () => 'a code is asked for',
  });
  mustEqual('requires_2fa', (half.body as { requires_2fa: boolean }).requires_2fa, true);
  const code = totp.generate({ timestamp });
  const answer = await service.call('POST /auth/complete-login', {
    body: { user_id: user.user_id, two_fa_token: code },
  });
  await service.call('POST /auth/login', {
    body: { usernameoremail: user.email, password: user.password },
    describe: () => 'once more',
  });
  await service.call('POST /auth/complete-login', {
    status: 401,
    body: { user_id: user.user_id, two_fa_token: code },
    describe: () => 'the same code counts only once',
  });
  const [backup] = setUp.list('data.backup_codes');
  await service.call('POST /auth/complete-login', {
    body: { user_id: user.user_id, two_fa_token: String(backup) },
    describe: () => 'a backup code does',
  });
  await service.call('GET /2fa/status', {
    as: { token: answer.text('data.token') },
    describe: (answer) => `${answer.number('data.backup_codes_count')} backup codes left`,
  });
  return { ...user, token: answer.text('data.token') };
}
