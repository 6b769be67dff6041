import { type Config, usesSandbox } from './config/config.ts';

type SettingName = keyof Config;

/** Settings that a provider cannot do without; the first is its address. */
export type NeededSettings = readonly [address: SettingName, ...credentials: SettingName[]];

export interface ProviderStatus {
  /**
   * `sandbox` is a stand-in of ours: a simulator, or a chain's embedded node. No setting asks for a provider that is
   * `not used`.
   */
  readonly state: 'configured' | 'sandbox' | 'not configured' | 'not used';
  readonly address: SettingName;
  /** The settings that it lacks. */
  readonly lacking: readonly SettingName[];
}

/** How a provider is set up, by the settings alone. A setting with an alternative may be given by that. */
export function statusBySettings(
  config: Config,
  [address, ...credentials]: NeededSettings,
  alternatives: Readonly<Partial<Record<SettingName, SettingName>>> = {},
): ProviderStatus {
  const isUnset = (setting: SettingName) => (config[setting] ?? '') === '';
  if (usesSandbox(config) && isUnset(address)) return { state: 'sandbox', address, lacking: [] };
  const lacking = [address, ...credentials].filter((setting) => {
    const other = alternatives[setting];
    return isUnset(setting) && (other === undefined || isUnset(other));
  });
  return { state: lacking.length === 0 ? 'configured' : 'not configured', address, lacking };
}

export const notUsed = ([address]: NeededSettings): ProviderStatus => ({
  state: 'not used',
  address,
  lacking: [],
});
