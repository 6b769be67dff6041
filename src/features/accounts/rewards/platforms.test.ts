import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { platformReader } from './platforms.ts';

const read = platformReader();

test.each([
  ['platform_1', 'platform_1'],
  ['PLATFORM_4', 'platform_4'],
  ['Instagram', 'platform_1'],
  [' instagram ', 'platform_1'],
  ['https://www.instagram.com/ada.lovelace/?hl=en', 'platform_1'],
  ['instagram.com/ada', 'platform_1'],
  ['X', 'platform_2'],
  ['twitter', 'platform_2'],
  ['https://x.com/ada', 'platform_2'],
  ['HTTP://Mobile.Twitter.com/ada', 'platform_2'],
  ['TikTok', 'platform_3'],
  ['https://www.tiktok.com/@ada', 'platform_3'],
  ['https://vm.tiktok.com/ZM8', 'platform_3'],
  ['telegram', 'platform_4'],
  ['https://t.me/ada', 'platform_4'],
])('%s means %s', (text, platform) => {
  expect(read(text)).toBe(platform);
});

test.each([
  '',
  'platform_5',
  'facebook',
  'netflix.com',
  'https://netflix.com/ada',
  'https://x.com.evil.example/ada',
  'https://instagram.com@evil.example/ada',
  'https://evil.example/instagram.com',
  'ftp://instagram.com/ada',
  'javascript:alert(1)',
  'https://',
  'com',
])('%s means none of the four', (text) => {
  expect(read(text)).toBeUndefined();
});

const mapping = (change: object = {}) =>
  JSON.stringify({
    platform_1: { names: ['Square'], hosts: ['square.example'] },
    platform_2: { names: ['circle'], hosts: ['circle.example'] },
    platform_3: { names: ['line'], hosts: ['line.example'] },
    platform_4: { names: ['dot'], hosts: ['dot.example'] },
    ...change,
  });

test('the four platforms are configurable', () => {
  const own = platformReader(mapping());
  expect(own('square')).toBe('platform_1');
  expect(own('https://www.dot.example/ada')).toBe('platform_4');
  expect(own('instagram')).toBeUndefined();
});

test.each([
  ['{', 'is not JSON'],
  ['{}', 'REWARDS_PLATFORMS'],
  [mapping({ platform_5: { names: ['x'], hosts: ['x.example'] } }), 'REWARDS_PLATFORMS'],
  [mapping({ platform_2: { names: [], hosts: ['x.example'] } }), 'REWARDS_PLATFORMS/platform_2'],
  [mapping({ platform_2: { names: ['SQUARE'], hosts: ['x.example'] } }), 'square in names twice'],
  [mapping({ platform_2: { names: ['x'], hosts: ['https://x.example'] } }), 'REWARDS_PLATFORMS'],
])('a mapping such as %s is refused', (setting, told) => {
  expect(() => platformReader(setting)).toThrow(told);
});

test('the service does not start with a wrong mapping', async () => {
  await expect(harness({ config: { REWARDS_PLATFORMS: '{}' } })).rejects.toThrow(
    'REWARDS_PLATFORMS',
  );
});
