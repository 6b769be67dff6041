import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';
import { withFileLock } from '#kernel/db/process-file.ts';
import { atEnd } from '../at-end.ts';
import { removeFolder } from '../folders.ts';
import { runFolder } from '../run-folder.ts';

export interface TestBrowser {
  /** A page with a browser context of its own: no shared cookies or storage. */
  page(options?: { readonly javaScriptEnabled?: boolean }): Promise<TestPage>;
}

export interface TestPage {
  readonly page: Page;
  /** All refusals, failed loads and errors of the browser on this page so far. */
  readonly problems: readonly string[];
}

/** A busy machine may take long to draw a page; waiting longer costs nothing where it does not. */
const PATIENCE_MS = 60_000;

/**
 * A real Chromium for this test file. On Linux it comes from npm with every library it needs, so it
 * runs offline, without a package manager and as root; elsewhere an installed Chrome is used.
 */
export async function testBrowser(): Promise<TestBrowser> {
  vi.setConfig({ testTimeout: 3 * PATIENCE_MS });
  const folder = await runFolder();
  let browser: Browser | undefined;
  atEnd(async () => {
    await browser?.close();
    await removeFolder(folder);
  });
  const started = await chromium.launch(await installed(folder));
  browser = started;
  return {
    async page(options = {}) {
      const viewport = { width: 1000, height: 760 };
      const context = await started.newContext({ viewport, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      return watch(await context.newPage());
    },
  };
}

async function installed(folder: string): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  once ??= unpackedOnce();
  const unpacked = await once;
  return {
    executablePath: join(unpacked, 'chromium'),
    // Chromium's own sandbox refuses to start as root, which is what most build machines are.
    chromiumSandbox: false,
    env: {
      HOME: folder,
      TMPDIR: folder,
      FONTCONFIG_FILE: await fontsOf(folder, join(unpacked, 'fonts')),
      LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'),
    },
  };
}

let once: Promise<string> | undefined;

/**
 * Unpacked by the first file of a run that needs it: it takes seconds. Never shared with another run, whose copy
 * could be another user's; and renamed when complete, so that no process finds half of one.
 */
async function unpackedOnce(): Promise<string> {
  const place = join(tmpdir(), `archipay-test-${inject('testRun')}-browser`);
  await withFileLock(`${place}.lock`, async () => {
    if (existsSync(place)) return;
    const part = await runFolder();
    await unpack(part);
    await rename(part, place);
  });
  return place;
}

async function unpack(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  const archives = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  const names = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];
  await Promise.all(names.map((name) => inflate(join(archives, '..', 'bin', name)))).finally(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
}

/**
 * The archive's own configuration names folders of the machine that it was made for, so a page would
 * be drawn only where an earlier program has left fonts there. Ours names the unpacked ones alone.
 */
async function fontsOf(folder: string, fonts: string): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const places = `<dir>${fonts}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?>\n<fontconfig>${places}</fontconfig>\n`);
  return file;
}

function watch(page: Page): TestPage {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) =>
    problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()}: ${response.url()}`);
  });
  return { page, problems };
}

/** Keeps a picture to look at, where SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Nothing on the page was refused by its policy, went missing or threw. */
export const expectSound = ({ problems }: TestPage): void => expect(problems).toEqual([]);
