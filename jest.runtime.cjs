// @ts-check
// Runs the test files that jest.bundle.cjs has made. Jest's own runtime loads every module again for each test file, which takes
// longer than most tests. Tests of Node run in Node itself and share modules; others run in the context of their environment.
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { pathToFileURL } = require('node:url');
const { compileFunction } = require('node:vm');

const GLOBALS = Symbol.for('jest.globals');
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const scope = /** @type {Record<symbol, unknown>} */ (globalThis);

class Runtime {
  #rootDir;
  #context;
  #global;
  #mocks;
  #timers;

  constructor(/** @type {{ readonly rootDir: string }} */ config, /** @type {any} */ environment) {
    this.#rootDir = config.rootDir;
    const { moduleMocker: mocks, fakeTimersModern: timers } = environment;
    const isNode = !('document' in environment.global);
    this.#context = isNode ? null : environment.getVmContext();
    this.#global = isNode ? scope : environment.global;
    this.#mocks = isNode ? new mocks.constructor(globalThis) : mocks;
    this.#timers = isNode ? new timers.constructor({ config, global: globalThis }) : timers;
  }

  setGlobalsForRuntime(/** @type {object} */ globals) {
    const mocks = this.#mocks;
    const timers = this.#timers;
    const jest = {
      advanceTimersByTime: (/** @type {number} */ ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (/** @type {number} */ ms) => timers.advanceTimersByTimeAsync(ms),
      fn: mocks.fn.bind(mocks),
      restoreAllMocks: () => mocks.restoreAllMocks(),
      setTimeout: (/** @type {number} */ ms) => {
        scope[TIMEOUT] = ms;
      },
      spyOn: mocks.spyOn.bind(mocks),
      useFakeTimers: (/** @type {object} */ options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
    };
    this.#global[GLOBALS] = { ...globals, jest };
  }

  /** Loads jest-circus again, because its modules keep the tests of a file. */
  requireInternalModule(/** @type {string} */ path) {
    delete scope[HANDLERS];
    delete require.cache[path];
    return require(path);
  }

  requireModule = require;
  unstable_shouldLoadAsEsm = () => true;

  async unstable_importModule(/** @type {string} */ path) {
    const folder = process.env['SVC_TEST_BUNDLE'] ?? '';
    if (this.#context === null) {
      const name = relative(this.#rootDir, path).replace(/\.tsx?$/, '.mjs');
      return import(pathToFileURL(join(folder, name)).href);
    }
    const filename = join(folder, 'tests.cjs');
    const options = { filename, parsingContext: this.#context };
    const module = { exports: /** @type {Record<string, () => Promise<unknown>>} */ ({}) };
    compileFunction(
      readFileSync(filename, 'utf8'),
      ['require', 'module'],
      options,
    )(require, module);
    return module.exports[path]?.();
  }

  // They are beside the bundled files.
  getSourceMaps = () => null;
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}

  teardown() {
    this.#mocks.restoreAllMocks();
    this.#timers.dispose();
    delete scope[TIMEOUT];
    for (const key of Object.getOwnPropertySymbols(scope)) {
      if (key.description === 'JEST_STATE_SYMBOL') delete scope[key];
    }
  }
}

exports.default = Runtime;
exports.__esModule = true;
