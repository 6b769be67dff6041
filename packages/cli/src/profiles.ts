import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EXIT, Failure } from './command.ts';

/** Where a service is; what proves who calls is in another file. */
export interface Profile {
  readonly url: string;
}
export interface Credentials {
  readonly apiKey?: string;
  readonly token?: string;
  /** Of the log-in, to show it. */
  readonly person?: string;
  /** Signs what `listen` forwards. */
  readonly webhookSecret?: string;
}

interface Config {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}
type AllCredentials = Readonly<Record<string, Credentials>>;

export const LOCAL_URL = 'http://localhost:3000';
const LOCAL = 'local';

/** The files of one person: `config.json`, and `credentials.json`, which only they may read. */
export class Profiles {
  readonly folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
    this.folder = env['ARCHIPAY_CONFIG_DIR'] || join(base, 'archipay');
  }

  async names(): Promise<{ current: string; profiles: Readonly<Record<string, Profile>> }> {
    const { current = LOCAL, profiles } = await this.#config();
    return { current, profiles: { [LOCAL]: { url: LOCAL_URL }, ...profiles } };
  }

  /** The profile of that name; the service of this machine is there without a file. */
  async get(name: string): Promise<Profile> {
    const { profiles } = await this.names();
    const found = profiles[name];
    if (found) return found;
    throw new Failure('NO_PROFILE', `There is no profile ${name}`, {
      hint: `archipay login --profile ${name} --url https://… makes one`,
      exit: EXIT.notFound,
    });
  }

  async credentials(name: string): Promise<Credentials> {
    return (await this.#credentials())[name] ?? {};
  }

  async save(name: string, profile: Profile): Promise<void> {
    const { current, profiles } = await this.#config();
    await this.#write('config.json', {
      current: current ?? name,
      profiles: { ...profiles, [name]: profile },
    });
  }

  async use(name: string): Promise<void> {
    const { profiles } = await this.#config();
    await this.#write('config.json', { current: name, profiles });
  }

  /** Replaces what is known of a profile; `undefined` forgets it. */
  async keep(name: string, credentials: Credentials | undefined): Promise<void> {
    const { [name]: _, ...others } = await this.#credentials();
    await this.#write(
      'credentials.json',
      credentials === undefined ? others : { ...others, [name]: credentials },
    );
  }

  async #config(): Promise<Config> {
    return (await this.#read<Config>('config.json')) ?? { profiles: {} };
  }

  async #credentials(): Promise<AllCredentials> {
    const path = join(this.folder, 'credentials.json');
    const found = await stat(path).catch(() => undefined);
    // Windows has no such modes.
    if (found && process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      throw new Failure('CREDENTIALS_READABLE', `Others may read ${path}`, {
        hint: `chmod 600 ${path}, and replace the keys in it if others have used this machine`,
      });
    }
    return (await this.#read<AllCredentials>('credentials.json')) ?? {};
  }

  async #read<T>(file: string): Promise<T | undefined> {
    const path = join(this.folder, file);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new Failure('CONFIG_UNREADABLE', `${path} is no JSON`);
    }
  }

  /** Whole or not at all: beside the file, then in its place. */
  async #write(file: string, value: object): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, file);
    const beside = `${path}.${process.pid}`;
    await writeFile(beside, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
    await chmod(beside, 0o600);
    await rename(beside, path);
  }
}
