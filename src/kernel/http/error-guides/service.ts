import type { Code } from '../../error.ts';
import { type Guide, guide, OURS } from './guide.ts';

const AGAIN_LATER =
  'Repeat the request after the seconds in Retry-After, with the same Idempotency-Key.';

/** What the service or a provider cannot do at the moment. */
export const SERVICE_GUIDES = {
  INTERNAL: guide('An unexpected failure; it is recorded.', OURS),
  SEARCH_FAILED: guide('No marketplace answered.', AGAIN_LATER),
  CHAT_UNAVAILABLE: guide('The language model does not answer.', AGAIN_LATER),
  HEALTH_CHECK_FAILED: guide('The area does not work at the moment.', AGAIN_LATER),
  STATS_ERROR: guide('The figures could not be read.', OURS),
  NOT_READY: guide('What the request needs is not there yet.', AGAIN_LATER),
  PROVIDER_UNAVAILABLE: guide(
    'A provider or chain does not answer. Nothing is taken for failed: what may have happened is looked up.',
    AGAIN_LATER,
  ),
  PROVIDER_NOT_CONFIGURED: guide(
    'The operator has not set up the provider that this needs.',
    'Ask the operator of this service: its start and /health/ready name what is not configured.',
  ),
  OVERLOADED: guide('The service has no room for the request at the moment.', AGAIN_LATER),
  SHUTTING_DOWN: guide('The process is being stopped; another one answers.', AGAIN_LATER),
  POSITION_LIMIT: guide(
    'The platform holds as much of that currency as it may: it takes no more of it for now.',
    'Convert less, or ask for another quote later.',
  ),
} satisfies Partial<Record<Code, Guide>>;
