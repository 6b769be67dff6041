import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Archipay } from '../../../sdk/src/archipay.ts';
import { Failure } from '../command.ts';
import type { Sandbox } from '../sandbox.ts';

export interface Person {
  readonly archipay: Archipay;
  readonly user_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
}

export interface StageOptions {
  readonly url: string;
  readonly apiKey: string;
  /** The admin's whose client the events are of. */
  readonly admin: Archipay;
  readonly admin_id: number;
  readonly client_id: number;
  readonly sandbox: Sandbox;
  readonly isMock: boolean;
}

export type Currency = 'USD' | 'IDR' | 'SGD' | 'AUD' | 'INR' | 'VND';
export type Chain = 'sepolia' | 'amoy' | 'neon';

const WAIT_MS = Number(process.env['ARCHIPAY_WAIT_MS'] ?? 60_000);
const POLL_MS = 200;
const OPERATOR = { usernameoremail: 'operator@archipay.example', password: 'Operator-demo-1' };
export const CARD = { card_number: '4111111111111111', expiry_date: '1239' } as const;

/** What recipes stand on: fresh people, wallets with money, the operator of the sandbox. */
export class Stage {
  readonly admin: Archipay;
  readonly admin_id: number;
  readonly client_id: number;
  readonly sandbox: Sandbox;
  readonly isMock: boolean;
  readonly operatorPassword = OPERATOR.password;
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.#options = options;
    this.admin = options.admin;
    this.admin_id = options.admin_id;
    this.client_id = options.client_id;
    this.sandbox = options.sandbox;
    this.isMock = options.isMock;
  }

  /** A name that nothing else has. */
  name(of: string): string {
    return `${of}-${randomBytes(5).toString('hex')}`;
  }

  /** The application, without a person. */
  application(): Archipay {
    const { url: baseUrl, apiKey } = this.#options;
    return new Archipay({ baseUrl, apiKey });
  }

  async logIn(usernameoremail: string, password: string): Promise<Archipay> {
    const application = this.application();
    const { data } = await application.auth.logIn({ usernameoremail, password });
    if (!('token' in data)) throw new Failure('CODE_NEEDED', 'A second factor is asked for');
    return application.as(data.token);
  }

  /** A new user of the admin's client. */
  async person(role: 'user' | 'admin' = 'user'): Promise<Person> {
    const username = this.name('trigger');
    const email = `${username}@demo.example`;
    const phone = `+1202${String(randomBytes(4).readUInt32BE() % 10_000_000).padStart(7, '0')}`;
    const { client_id } = this;
    const made = await this.admin.admins.createUser({
      client_id,
      username,
      email,
      phone,
      country_code: 'US',
      role,
    });
    const password = await this.message(email, 'Password');
    return {
      archipay: await this.logIn(email, password),
      user_id: made.user.user_id,
      username,
      email,
      phone,
      password,
    };
  }

  /** An admin of the platform, whose log-in a sandbox has published. */
  operator(): Promise<Archipay> {
    const { usernameoremail, password } = OPERATOR;
    return this.logIn(usernameoremail, password);
  }

  /** Another admin of the platform, who has been one for two days: only so they may approve what another proposes. */
  async secondOperator(): Promise<() => Promise<Archipay>> {
    const operator = await this.operator();
    const username = this.name('second');
    const email = `${username}@archipay.example`;
    const person = { username, email, phone: '+12025550177', country_code: 'SG' };
    await operator.admins.createUser({ client_id: 1, role: 'admin', ...person });
    const password = await this.message(email, 'Password');
    await this.clock(2 * 86_400);
    return () => this.logIn(email, password);
  }

  /** The sandbox’s reviewer decides a verification that has begun. */
  review(user_id: number, reviewAnswer: 'GREEN' | 'RED', type: 'KYC' | 'KYB' = 'KYC') {
    const externalUserId = String(user_id);
    return this.sandbox.call('POST', '/identity/reviews', { externalUserId, type, reviewAnswer });
  }

  /** A wallet, with money from a test card where an amount is given. */
  async wallet(person: Person, currency: Currency = 'USD', amount?: string): Promise<number> {
    const { data } = await person.archipay.fiatWallets.open({ currency });
    if (amount !== undefined) {
      await person.archipay.cards.topUpCurrency({ ...CARD, amount, currency_code: currency });
    }
    return data.wallet_id;
  }

  /** A wallet on chains with an address, coins for fees and USDC. */
  async chainWallet(person: Person, chain: Chain, usdc = '0') {
    const { user_id, archipay } = person;
    const named = { user_id, wallet_name: 'Trigger', chain_id: chain };
    const { data } = await archipay.cryptoWallets.create(named);
    const { bw_id } = data;
    const made = await archipay.cryptoWallets.addAddress({ bw_id, chain_id: chain });
    const address = made.data.wallet_address;
    if (usdc !== '0') {
      await this.gift(chain, address, ['native', '1']);
      await this.gift(chain, address, ['USDC', usdc]);
    }
    return { bw_id, address };
  }

  gift(chain: Chain, address: string, [asset, amount]: readonly [string, string]) {
    return this.sandbox.call('POST', '/faucet', { chain, address, asset, amount });
  }

  /** The next status of a transaction at the card network, which calls back. */
  network(transaction: string, status: string): Promise<unknown> {
    return this.sandbox.call('POST', `/cards/${transaction}/status`, { status });
  }

  fault(provider: string, kind: string, more: object = {}): Promise<unknown> {
    return this.sandbox.call('POST', '/faults', { provider, kind, times: 1, ...more });
  }

  clock(advance_s: number): Promise<unknown> {
    return this.sandbox.call('POST', '/clock', { advance_s });
  }

  /** The text behind `label: ` in a message to that receiver. */
  async message(to: string, label: string): Promise<string> {
    const line = new RegExp(`^${label}: (.+)$`, 'm');
    const found = await this.until(`a message to ${to}`, async () => {
      const path = `/messages?to=${encodeURIComponent(to)}`;
      const messages = await this.sandbox.call<{ text: string }[]>('GET', path);
      return messages.map(({ text }) => line.exec(text)?.[1]?.trim()).find((one) => one);
    });
    return found;
  }

  /** The token of a link to that page, in a message to that receiver: others of them have links, too. */
  tokenOf(to: string, page: string): Promise<string> {
    return this.until(`a link to ${page} for ${to}`, async () => {
      const path = `/messages?to=${encodeURIComponent(to)}`;
      const messages = await this.sandbox.call<{ text: string }[]>('GET', path);
      return (
        messages
          .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
          .map((link) => new URL(link))
          .find(({ pathname }) => pathname.endsWith(page))
          ?.searchParams.get('token') ?? undefined
      );
    });
  }

  /** The six digits of the newest message to a phone. */
  digits(phone: string): Promise<string> {
    return this.until(`a code for ${phone}`, async () => {
      const path = `/messages?to=${encodeURIComponent(phone)}`;
      const messages = await this.sandbox.call<object[]>('GET', path);
      return messages.map((one) => /\b\d{6}\b/.exec(JSON.stringify(one))?.[0]).find((one) => one);
    });
  }

  /** What there is after a few seconds at the most. */
  async soon<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    let found: T | undefined;
    for (let nth = 0; nth < 15 && found === undefined; nth += 1) {
      await pause(POLL_MS);
      found = await look();
    }
    return found;
  }

  /** Asks until there is an answer. */
  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) throw new Failure('TOO_LATE', `Waited in vain for ${what}`);
      await pause(POLL_MS);
    }
  }
}
