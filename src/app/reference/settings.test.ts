import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { DEMO } from '../seed.ts';
import { newSecrets } from '../start/secrets-file.ts';
import { demoLogIns, referenceSettings } from './settings.ts';

test('production’s reference knows neither a key nor people to log in as', () => {
  const development = loadConfig({});
  expect(demoLogIns(development)?.people).toEqual({
    user: DEMO.user,
    admin: DEMO.admin,
    operator: DEMO.operator,
  });
  const production = loadConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://archipay@database.example/archipay',
    PUBLIC_URL: 'https://pay.example',
    ...newSecrets(),
  });
  expect(demoLogIns(production)).toBeUndefined();
  expect(JSON.stringify(referenceSettings(production))).not.toContain(DEMO.apiKey);
});
