import { Archipay } from '../../sdk/src/archipay.ts';
import { EXIT, Failure } from './command.ts';
import type { Output } from './output.ts';
import { type Credentials, LOCAL_URL, Profiles } from './profiles.ts';
import { Sandbox } from './sandbox.ts';

/** The published key of the demo client, which works outside production only. */
export const DEMO_KEY = `ak_demo_${'0'.repeat(64)}`;

export interface Flags {
  readonly profile: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
}

export interface Standing extends Credentials {
  readonly name: string;
  readonly url: string;
}

/** One run of a command: who calls which service, and where the answers go. */
export class Session {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly profiles: Profiles;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
  readonly flags: Flags;

  constructor(given: {
    readonly env: NodeJS.ProcessEnv;
    readonly output: Output;
    readonly signal: AbortSignal;
    readonly flags: Flags;
  }) {
    this.env = given.env;
    this.output = given.output;
    this.signal = given.signal;
    this.flags = given.flags;
    this.profiles = new Profiles(given.env);
  }

  async profileName(): Promise<string> {
    const named = this.flags.profile ?? this.env['ARCHIPAY_PROFILE'];
    return named ?? (await this.profiles.names()).current;
  }

  /** What holds now: flags before the environment, the environment before the profile. */
  async standing(): Promise<Standing> {
    const { env, flags } = this;
    const name = await this.profileName();
    const kept = await this.profiles.credentials(name);
    const named = flags.url ?? env['ARCHIPAY_URL'];
    const url = (named ?? (await this.profiles.get(name)).url).replace(/\/+(api\/?)?$/, '');
    const token = flags.token ?? env['ARCHIPAY_TOKEN'] ?? kept.token;
    const own = flags.apiKey ?? env['ARCHIPAY_API_KEY'] ?? kept.apiKey;
    const apiKey = own ?? (isHere(url) ? DEMO_KEY : undefined);
    return { ...kept, name, url, ...(apiKey && { apiKey }), ...(token && { token }) };
  }

  async client(): Promise<Archipay> {
    const { url, apiKey, token } = await this.standing();
    if (apiKey === undefined) throw notSignedIn();
    return new Archipay({ baseUrl: url, apiKey, ...(token !== undefined && { token }) });
  }

  /** A client in a person's name. */
  async person(): Promise<Archipay> {
    if ((await this.standing()).token === undefined) throw notSignedIn();
    return this.client();
  }

  async sandbox(): Promise<Sandbox> {
    const { url } = await this.standing();
    return Sandbox.of(url, this.env['ARCHIPAY_SANDBOX_URL']);
  }
}

const notSignedIn = () =>
  new Failure('NOT_SIGNED_IN', 'You are not logged in', {
    hint: 'archipay login, or archipay login --demo for a service on this machine',
    exit: EXIT.notSignedIn,
  });

/** Whether the service is on this machine, where the demo's key may be tried. */
export function isHere(url: string): boolean {
  const { hostname } = new URL(url, LOCAL_URL);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
