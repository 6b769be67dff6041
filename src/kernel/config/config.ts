import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { misspelt } from '#kernel/config/misspelt.ts';
import { faultsBetween, withoutSandboxCredentials } from './config-rules.ts';
import { withDefaults } from './setting-defaults.ts';
import type { Setting } from './setting-kinds.ts';
import { badConfiguration, onePerSetting, wrongValues } from './setting-words.ts';
import { ACCESS_SETTINGS } from './settings/access.ts';
import { CHAINS_SETTINGS } from './settings/chains.ts';
import { DATABASE_SETTINGS } from './settings/database.ts';
import { MESSAGES_SETTINGS } from './settings/messages.ts';
import { PROCESS_SETTINGS } from './settings/process.ts';
import { PROVIDERS_SETTINGS } from './settings/providers.ts';
import { SANDBOX_SETTINGS } from './settings/sandbox.ts';

/** By topic, in the order in which pages list them. */
export const SETTING_GROUPS = {
  'The process': PROCESS_SETTINGS,
  'Database and queue': DATABASE_SETTINGS,
  'Mock mode and sandbox': SANDBOX_SETTINGS,
  'Secrets and access': ACCESS_SETTINGS,
  'Messages and webhooks': MESSAGES_SETTINGS,
  Chains: CHAINS_SETTINGS,
  Providers: PROVIDERS_SETTINGS,
} as const;

const DECLARED = {
  ...PROCESS_SETTINGS,
  ...DATABASE_SETTINGS,
  ...SANDBOX_SETTINGS,
  ...ACCESS_SETTINGS,
  ...MESSAGES_SETTINGS,
  ...CHAINS_SETTINGS,
  ...PROVIDERS_SETTINGS,
};
type Declared = typeof DECLARED;

const Settings = Type.Object(
  Object.fromEntries(
    Object.entries(DECLARED).map(([name, { schema }]) => [name, schema]),
  ) as unknown as { [Name in keyof Declared]: Declared[Name]['schema'] },
);

/** Every setting there is, with its default where it has a fixed one. `docs/settings.md` has the same. */
export const SETTINGS: Readonly<Record<string, Setting>> = Settings.properties as Readonly<
  Record<string, object>
>;

type Read = Static<typeof Settings>;
/** Those whose default hangs on others. */
type Settled = keyof ReturnType<typeof withDefaults>;
export type Config = Readonly<Omit<Read, Settled> & Required<Pick<Read, Settled>>>;

const DEFAULT_VALUES = Value.Default(Settings, {}) as Readonly<Record<string, unknown>>;

/**
 * Reads every setting once, at start; nothing else looks at the environment. An empty value counts as
 * not set. Throws naming every setting that is wrong.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' && name in Settings.properties),
  );
  const read = Value.Convert(Settings, Value.Default(Settings, { ...given }));
  const settings = read as Read;
  const production = settings.NODE_ENV === 'production';
  const MOCK_MODE = settings.MOCK_MODE ?? !production;
  const faults = [
    ...wrongValues(Settings, read),
    ...faultsBetween(settings, production, MOCK_MODE),
  ];
  refuseIf(onePerSetting(faults), env);
  return Object.freeze({
    ...(production ? withoutSandboxCredentials(settings, DEFAULT_VALUES) : settings),
    ...withDefaults(settings, { production, MOCK_MODE }),
  });
}

/** Names that look like a misspelt setting; others of the environment are not ours. */
export const misspeltSettings = (env: Readonly<Record<string, string | undefined>>): string[] =>
  misspelt(env, Object.keys(SETTINGS));

function refuseIf(faults: readonly string[], env: Parameters<typeof misspeltSettings>[0]): void {
  if (faults.length > 0) throw badConfiguration([...faults, ...misspeltSettings(env)]);
}

/** Whether provider simulators stand in where no real provider is configured; never in production. */
export const usesSandbox = (config: Config): boolean => config.NODE_ENV !== 'production';

/** The public address of the service, without a slash at the end. */
export const publicUrl = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '');
