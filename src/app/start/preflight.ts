import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, SETTINGS, usesSandbox } from '#kernel/config/config.ts';
import { badConfiguration } from '#kernel/config/setting-words.ts';
import { makePrivate } from '#kernel/db/process-file.ts';
import { portFaults } from '#src/app/ports.ts';
import { malformedSettings } from '#src/app/providers.ts';

/**
 * Checks that this machine has the ports, folders and files of the settings, all at once and before starting a database
 * and chains, which takes seconds. Throws an error that names every fault.
 */
export async function requirePlaces(config: Config): Promise<void> {
  const faults = [
    ...(await portFaults(config)),
    ...malformedSettings(config),
    ...(await folderFaults(config)),
    ...(await fileFaults(config)),
  ];
  if (faults.length > 0) throw badConfiguration(faults);
}

/** Production with a database of its own stores nothing there, and its files may be read-only. */
async function folderFaults(config: Config): Promise<string[]> {
  if (!usesSandbox(config) && config.DATABASE_URL !== undefined) return [];
  const { DATA_DIR } = config;
  try {
    await makePrivate(DATA_DIR);
    const trial = join(DATA_DIR, randomUUID());
    await writeFile(trial, '');
    await rm(trial);
    return [];
  } catch (error) {
    const why = reasonOf(error);
    return [`DATA_DIR=${DATA_DIR}: cannot be written, ${why}; name a folder of this user’s`];
  }
}

async function fileFaults(config: Config): Promise<string[]> {
  const named = Object.keys(SETTINGS).flatMap((setting) => {
    const path = config[setting as keyof Config];
    return setting.endsWith('_FILE') && typeof path === 'string' ? [{ setting, path }] : [];
  });
  const faults = await Promise.all(named.map(fileFault));
  return faults.filter((fault) => fault !== undefined);
}

async function fileFault({ setting, path }: { setting: string; path: string }) {
  try {
    const text = await readFile(path, 'utf8');
    // The others are PEM, and a JSON file is not checked here.
    if (setting === 'PUSH_ACCOUNT_FILE' || text.includes('-----BEGIN ')) return undefined;
    return `${setting}=${path}: is no PEM file; it has to have a line -----BEGIN …-----`;
  } catch (error) {
    return `${setting}=${path}: cannot be read, ${reasonOf(error)}`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such place',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
};
const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
};
