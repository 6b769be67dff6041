import { type Config, usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { About } from '#kernel/openapi/document.ts';
import { versionOf } from '../operate/version.ts';
import { bodiesOf } from './bodies.ts';
import { VOCABULARY } from './fields.ts';
import { guidesOf } from './guides.ts';
import { GROUPS, TAGS } from './tags.ts';

interface Places {
  /** Where the service is reached, without a slash at the end. */
  readonly publicUrl: string;
  readonly sandboxUrl: string;
}

/** What the reference says of the product as a whole. */
export function aboutApi(config: Config, { publicUrl, sandboxUrl }: Places): About {
  const sandbox = usesSandbox(config) ? sandboxUrl : undefined;
  return {
    publicUrl,
    tags: TAGS,
    groups: GROUPS,
    words: { ...VOCABULARY, bodies: bodiesOf(sandboxUrl) },
    info: {
      title: 'Archipay API',
      version: versionOf(config).version,
      summary: 'A multi-country payments platform behind one HTTP API',
      description: guidesOf({ api: `${publicUrl}${API_PREFIX}`, sandbox }),
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Archipay', url: publicUrl },
    },
  };
}
