import { exampleChain } from '#chains/evm/port.ts';
import { nextClientCode } from '#features/accounts/clients/clients.ts';
import { openWalletOfWords } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import { type Db, now } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';

/** What everybody can log in with on a fresh start outside production; the README and docs/sandbox.md list them. */
export const DEMO = {
  apiKey: 'ak_demo_0000000000000000000000000000000000000000000000000000000000000000',
  operator: { email: 'operator@archipay.example', password: 'Operator-demo-1' },
  admin: { email: 'admin@demo.example', password: 'Admin-demo-1' },
  user: { email: 'user@demo.example', password: 'User-demo-1' },
  /** The user's, by published words: not those that development machines begin their own chains with. */
  wallet: {
    address: '0x58A57ed9d8d624cBD12e2C467D34787555bB1b25',
    mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    chain_id: exampleChain(2).key,
  },
} as const;

interface SeedUser {
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly role: 'admin' | 'user';
}

interface SeedClient {
  readonly client_id: number;
  readonly client_alias: string;
  readonly email: string;
  readonly country_code: string;
  readonly psp_id: number;
}

/** The two clients have fixed ids, below where the sequence starts for everybody else. */
const OPERATOR = {
  client_id: OPERATOR_CLIENT_ID,
  client_alias: 'Archipay',
  country_code: 'SG',
  psp_id: 2,
};
const DEMO_CLIENT: SeedClient = {
  client_id: 2,
  client_alias: 'Demo Company',
  email: 'hello@demo.example',
  country_code: 'US',
  psp_id: 4,
};

type SeedDeps = Pick<
  Kernel,
  'db' | 'clock' | 'log' | 'passwords' | 'sessions' | 'credentials' | 'config' | 'vault'
>;

const DEMO_PEOPLE = [
  { client_id: OPERATOR_CLIENT_ID, username: 'operator', role: 'admin', ...DEMO.operator },
  { client_id: DEMO_CLIENT.client_id, username: 'demo-admin', role: 'admin', ...DEMO.admin },
  { client_id: DEMO_CLIENT.client_id, username: 'demo-user', role: 'user', ...DEMO.user },
] as const satisfies readonly SeedUser[];

/**
 * Makes the platform operator, and outside production the demo client with its admin, user and API
 * key, unless they are there; in production those do not work. `afterUser` opens what every user gets.
 */
export async function seed(
  kernel: SeedDeps,
  afterUser: (tx: Db, user: { user_id: number; client_id: number }) => Promise<void>,
): Promise<void> {
  const { db, clock, passwords, config } = kernel;
  if (config.NODE_ENV === 'production') await withdrawDemo(kernel);
  const people = await unseeded(db, peopleOf(config));
  if (people.length === 0) return;
  const hashes = await Promise.all(people.map(({ password }) => passwords.hash(password)));
  await transact(db, async (tx) => {
    await insertClient(tx, clock, { ...OPERATOR, email: operatorEmail(config) });
    if (config.NODE_ENV !== 'production') await insertClient(tx, clock, DEMO_CLIENT);
    for (const [i, person] of people.entries()) {
      const user_id = await insertUser(tx, person, hashes[i] ?? '');
      if (user_id === undefined) continue;
      await afterUser(tx, { user_id, client_id: person.client_id });
      if (person.email === DEMO.user.email)
        await openWalletOfWords(tx, kernel.vault, { user_id, ...DEMO.wallet });
    }
    if (config.NODE_ENV !== 'production') await insertDemoKey(tx);
  });
}

const operatorEmail = (config: Config): string =>
  config.BOOTSTRAP_ADMIN_EMAIL ?? DEMO.operator.email;

function peopleOf(config: Config): SeedUser[] {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config;
  const [demoOperator, ...others] = DEMO_PEOPLE;
  const operator = email && password ? { ...demoOperator, email, password } : undefined;
  if (config.NODE_ENV === 'production') return operator ? [operator] : [];
  return [operator ?? demoOperator, ...others];
}

/**
 * A database that was tried out before keeps its demo people, but neither the demo key nor their
 * passwords: both are published.
 */
async function withdrawDemo({ db, log, passwords, sessions, credentials }: SeedDeps) {
  const key_hash = digestOf(DEMO.apiKey);
  await db.deleteFrom('api_keys').where('key_hash', '=', key_hash).execute();
  credentials.forget('key', key_hash.toString('hex'));
  for (const { client_id, username, email, password } of DEMO_PEOPLE) {
    const found = await db
      .selectFrom('users')
      .select(['user_id', 'password_hash'])
      .where('client_id', '=', client_id)
      // Either of them is a log-in name, and the other may have been changed.
      .where(({ or, eb, fn }) =>
        or([eb('username', '=', username), eb(fn('lower', ['email']), '=', email)]),
      )
      .execute();
    for (const { user_id, password_hash } of found) {
      if (!(await passwords.verify(password_hash, password))) continue;
      await transact(db, async (tx) => {
        const nothing = { password_hash: null };
        await tx.updateTable('users').set(nothing).where('user_id', '=', user_id).execute();
        await sessions.revokeOthers(tx, user_id);
      });
      log.warn({ user_id }, 'a demo user had the published password, and has none now');
    }
  }
}

/**
 * Those who were never made. Who was is written down by itself: somebody who has taken another address
 * since must not come back with the first one and its password.
 */
async function unseeded(db: Db, people: readonly SeedUser[]): Promise<SeedUser[]> {
  if (people.length === 0) return [];
  const rows = await db
    .selectFrom('service_state')
    .select('name')
    .where('name', 'in', people.map(stateOf))
    .execute();
  const made = new Set(rows.map(({ name }) => name));
  return people.filter((person) => !made.has(stateOf(person)));
}

const stateOf = ({ client_id, email }: SeedUser): string =>
  `seeded:${client_id}:${email.toLowerCase()}`;

/** Whether it is this process that makes them. */
async function claim(tx: Db, person: SeedUser): Promise<boolean> {
  const claimed = await tx
    .insertInto('service_state')
    .values({ name: stateOf(person), value: 'true' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
}

async function insertClient(tx: Db, clock: Clock, client: SeedClient): Promise<void> {
  await tx
    .insertInto('clients')
    .values({
      ...client,
      client_code: await nextClientCode(tx, clock.now()),
      client_type: 'BUSINESS',
      client_status: 'ACTIVE',
      ekyc_status: 'APPROVED',
      phone: '+10000000000',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Nothing when they are there already, or were made by another process. */
async function insertUser(tx: Db, user: SeedUser, password_hash: string) {
  if (!(await claim(tx, user))) return undefined;
  const { client_id, username, email, role } = user;
  const inserted = await tx
    .insertInto('users')
    .values({ client_id, username, email, role, password_hash, phone: '+10000000000' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (!inserted) return undefined;
  await tx
    .insertInto('verifications')
    .values({
      user_id: inserted.user_id,
      kind: 'KYC',
      status: 'APPROVED',
      verified_at: now,
      provider: 'SEED',
    })
    .execute();
  return inserted.user_id;
}

async function insertDemoKey(tx: Db): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      key_hash: digestOf(DEMO.apiKey),
      key_prefix: DEMO.apiKey.slice(0, 10),
      key_suffix: DEMO.apiKey.slice(-4),
      provider_name: 'Demo key',
      client_id: DEMO_CLIENT.client_id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
