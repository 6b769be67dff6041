import { readFileSync } from 'node:fs';
import type { Config } from '#kernel/config/config.ts';

export interface Version {
  readonly name: string;
  readonly version: string;
  /** The commit that was built; null where the build does not name it. */
  readonly commit: string | null;
}

const { name, version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Pick<Version, 'name' | 'version'>;

/** What runs here, for operators and bug reports. No setting but the commit goes into it. */
export const versionOf = ({ BUILD_COMMIT }: Pick<Config, 'BUILD_COMMIT'>): Version => ({
  name,
  version,
  commit: BUILD_COMMIT ?? null,
});
