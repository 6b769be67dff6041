import { type Static, Type } from 'typebox';
import { jsonSetting } from '#kernel/json-setting.ts';

/** The four platforms, by the identifiers that the contract gives them. */
export const PLATFORMS = ['platform_1', 'platform_2', 'platform_3', 'platform_4'] as const;
export type Platform = (typeof PLATFORMS)[number];

const PlatformName = Type.String({ pattern: '^[^\\s/.]+( [^\\s/.]+)*$', maxLength: 50 });
const Host = Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 });
const Known = Type.Object(
  { names: Type.Array(PlatformName, { minItems: 1 }), hosts: Type.Array(Host, { minItems: 1 }) },
  { additionalProperties: false },
);
const Mapping = Type.Object(
  { platform_1: Known, platform_2: Known, platform_3: Known, platform_4: Known },
  { additionalProperties: false },
);
type Mapping = Static<typeof Mapping>;

const DEFAULT: Mapping = {
  platform_1: { names: ['instagram', 'ig'], hosts: ['instagram.com', 'instagr.am'] },
  platform_2: { names: ['x', 'twitter'], hosts: ['x.com', 'twitter.com'] },
  platform_3: { names: ['tiktok', 'tik tok'], hosts: ['tiktok.com'] },
  platform_4: { names: ['telegram'], hosts: ['t.me', 'telegram.me', 'telegram.org'] },
};

/**
 * The platform of a name, a profile's address or an identifier; undefined for none of the four. `setting` is
 * REWARDS_PLATFORMS. Throws when that is not a mapping, or has a name twice.
 */
export function platformReader(setting?: string): (text: string) => Platform | undefined {
  const mapping =
    setting === undefined ? DEFAULT : jsonSetting('REWARDS_PLATFORMS', Mapping, setting);
  const names = index(mapping, 'names');
  const hosts = index(mapping, 'hosts');
  return (text) => {
    const word = text.trim().toLowerCase();
    return PLATFORMS.find((id) => id === word) ?? names.get(word) ?? byHost(word, hosts);
  };
}

function index(mapping: Mapping, kind: keyof Mapping[Platform]): Map<string, Platform> {
  const known = new Map<string, Platform>();
  for (const id of PLATFORMS)
    for (const word of mapping[id][kind].map((text) => text.toLowerCase())) {
      if (known.has(word))
        throw new Error(`Bad configuration: REWARDS_PLATFORMS has ${word} in ${kind} twice`);
      known.set(word, id);
    }
  return known;
}

/** Subdomains count (`www.`, `m.`), look-alikes such as `x.com.example` do not. */
function byHost(word: string, hosts: ReadonlyMap<string, Platform>): Platform | undefined {
  const address = /^https?:\/\//.test(word) ? word : `https://${word}`;
  if (!URL.canParse(address)) return undefined;
  const labels = new URL(address).hostname.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const found = hosts.get(labels.slice(from).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}
