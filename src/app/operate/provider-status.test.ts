import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { providerStatuses } from '#src/app/providers.ts';
import { providerTable } from './provider-status.ts';

test('with the sandbox no provider lacks anything, and its table says who stands in', () => {
  const statuses = providerStatuses(loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' }));
  expect(Object.values(statuses).flatMap(({ lacking }) => lacking)).toEqual([]);
  const table = providerTable(statuses).join('\n');
  expect(table).toMatch(/^email +SMTP_URL +sandbox *$/m);
  expect(table).not.toContain('NOT CONFIGURED');
});
