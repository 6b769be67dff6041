import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

/**
 * pg-internals.ts overrides and calls undocumented members of `pg`. Where one of these tests fails after an upgrade, read
 * the changes of the named files, adapt pg-internals.ts, run the tests of this folder, and then set version and digests.
 */
const VERSION = '8.23.1';
const DIGESTS = {
  'lib/query.js': 'ecf885185f0ad8b8',
  'lib/result.js': '6d7193da53f85576',
  'lib/connection.js': 'f93e914bf408657f',
  'lib/client.js': 'ad6aa93c26b0bf26',
  'lib/utils.js': '0348fa1818f44908',
};

const require = createRequire(import.meta.url);
const root = require.resolve('pg').replace(/lib\/index\.js$/, '');
const textOf = (file: string) => readFileSync(`${root}${file}`, 'utf8');

test('package.json pins the version of pg that pg-internals.ts was written for', () => {
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(own.dependencies.pg).toBe(VERSION);
  expect(JSON.parse(textOf('package.json')).version).toBe(VERSION);
});

test('the files of pg with members that pg-internals.ts uses are those it was written for', () => {
  const digestOf = (file: string) =>
    createHash('sha256').update(textOf(file)).digest('hex').slice(0, 16);
  const found = Object.fromEntries(Object.keys(DIGESTS).map((file) => [file, digestOf(file)]));
  expect(found).toEqual(DIGESTS);
});

test('pg has each undocumented member that pg-internals.ts uses', () => {
  const { Query, utils } = require('pg');
  const Connection = require(`${root}lib/connection.js`);
  const query = new Query('select 1', [], () => undefined);
  const methods = [
    'submit',
    'prepare',
    'hasBeenParsed',
    '_getRows',
    'handleCommandComplete',
    'handleRowDescription',
    'handleDataRow',
    'handleError',
  ];
  for (const name of methods) expect(query[name], name).toBeTypeOf('function');
  for (const name of ['_result', 'queryMode', 'name', 'text', 'values'])
    expect(name in query, name).toBe(true);
  for (const name of ['fields', '_parsers', '_prebuiltEmptyResultObject'])
    expect(name in query._result, name).toBe(true);
  const connection = new Connection({ stream: { on: () => undefined, once: () => undefined } });
  for (const name of ['parsedStatements', 'submittedNamedStatements'])
    expect(connection[name], name).toEqual({});
  for (const name of ['parse', 'bind', 'execute', 'sync'])
    expect(connection[name], name).toBeTypeOf('function');
  expect(utils.prepareValue).toBeTypeOf('function');
});
