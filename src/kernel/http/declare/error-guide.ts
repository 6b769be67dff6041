import type { Code } from '#kernel/error.ts';
import { ACCESS_GUIDES } from '#kernel/http/error-guides/access.ts';
import type { Guide } from '#kernel/http/error-guides/guide.ts';
import { MONEY_GUIDES } from '#kernel/http/error-guides/money.ts';
import { REQUEST_GUIDES } from '#kernel/http/error-guides/request.ts';
import { SERVICE_GUIDES } from '#kernel/http/error-guides/service.ts';

/** Every code with its cause and cure: the hints, and the pages under `/docs/errors`. */
export const GUIDES: Readonly<Record<Code, Guide>> = {
  ...REQUEST_GUIDES,
  ...ACCESS_GUIDES,
  ...MONEY_GUIDES,
  ...SERVICE_GUIDES,
};
