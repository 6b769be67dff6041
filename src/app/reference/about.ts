import { type Config, usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { About } from '#kernel/openapi/document.ts';
import { type FeatureWords, type Vocabulary, vocabularyOf } from '#kernel/openapi/vocabulary.ts';
import { versionOf } from '../operate/version.ts';
import { DEMO } from '../seed.ts';
import { ANSWERS } from './answers.ts';
import { EXAMPLES } from './fields.ts';
import { guidesOf } from './guides.ts';
import { MEANINGS } from './meanings.ts';
import { ORIGINS } from './origins.ts';
import { tagsOf } from './tags.ts';
import { valuesOf } from './values.ts';

interface Places {
  /** Where the service is reached, without a slash at the end. */
  readonly publicUrl: string;
  readonly sandboxUrl: string;
}

/** What the reference says of the product as a whole, and of each feature. */
export function aboutApi(
  config: Config,
  { publicUrl, sandboxUrl }: Places,
  features: readonly FeatureWords[],
): About {
  const sandbox = usesSandbox(config) ? sandboxUrl : undefined;
  return {
    publicUrl,
    ...tagsOf(features),
    words: productWords(features, sandboxUrl),
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

/** The demo user's fiat wallet, which a fresh start opens. */
const DEMO_WALLET_ID = 3;

/** All words of the reference; examples are those of the demo user, so that the sandbox takes them as they are. */
export function productWords(features: readonly FeatureWords[], sandboxUrl: string): Vocabulary {
  const { address: wallet_address, chain_id: chain } = DEMO.wallet;
  const demo = { sandboxUrl, wallet_id: DEMO_WALLET_ID, wallet_address, chain };
  const shared = {
    examples: EXAMPLES,
    answers: ANSWERS,
    meanings: MEANINGS,
    values: valuesOf(),
    origins: ORIGINS,
  };
  return vocabularyOf(features, shared, demo);
}
