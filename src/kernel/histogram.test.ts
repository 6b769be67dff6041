import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('the request histogram counts by route, status and duration in Prometheus’ format', async () => {
  const { observe, registry } = createMetrics();
  observe('GET /a', 200, 0.001);
  observe('GET /a', 200, 0.002);
  observe('GET /a', 200, 0.3);
  observe('GET /a', 200, 60);
  observe('GET /a', 404, 0.02);
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toContain('# TYPE archipay_request_seconds histogram');
  const of = (name: string, rest: string) =>
    lines
      .find((line) => line.startsWith(`archipay_request_seconds_${name}{${rest}}`))
      ?.split('} ')[1];
  const ok = 'route="GET /a",status="200"';
  const buckets = ['0.002', '0.005', '0.25', '0.5', '10', '+Inf'];
  expect(buckets.map((le) => of('bucket', `le="${le}",${ok}`))).toEqual([
    '2',
    '2',
    '2',
    '3',
    '3',
    '4',
  ]);
  expect(of('count', ok)).toBe('4');
  expect(Number(of('sum', ok))).toBeCloseTo(60.303);
  expect(of('count', 'route="GET /a",status="404"')).toBe('1');
});
