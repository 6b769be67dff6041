/** Only signs and posts: the cost of sending without storage. */

import { newSecret, signed } from '#features/messaging/webhooks/signature.ts';
import { createOutbound } from '#kernel/outbound/outbound.ts';

const AT_ONCE = 64;
const [, , url = '', body = '', requests = '0'] = process.argv;
const secrets = [{ secret: newSecret(), not_after: null }];
const outbound = createOutbound({
  plainHttp: true,
  ports: 'any',
  loopback: true,
  allowed: () => [],
});
let left = Number(requests);
const before = process.cpuUsage();
const start = performance.now();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (left > 0) {
      left -= 1;
      const headers = signed('evt_bare', body, secrets, new Date());
      await outbound.post({ name: 'bare', url, body, headers });
    }
  }),
);
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - start) / 1000;
process.stdout.write(JSON.stringify({ seconds, cpuMs: (user + system) / 1000 }));
process.exit(0);
