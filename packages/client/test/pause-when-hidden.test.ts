import { expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { pauseWhenHidden } from '../src/pause-when-hidden.ts';

function createPage() {
  const target = new EventTarget();
  return {
    visibilityState: 'visible',
    defaultView: new EventTarget(),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    dispatch: (type: string) => target.dispatchEvent(new Event(type)),
    show(state: 'visible' | 'hidden') {
      this.visibilityState = state;
      target.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

it('a stream stops five seconds after its page is hidden, and resumes when it is visible', async () => {
  const clock = createFakeClock();
  const page = createPage();
  const done: string[] = [];
  const following = { stop: () => done.push('stop'), resume: () => done.push('resume') };
  const end = pauseWhenHidden(following as never, page, clock);
  page.show('hidden');
  await clock.advance(4_999);
  page.show('visible');
  await clock.advance(10_000);
  expect(done).toEqual(['resume']);
  page.show('hidden');
  await clock.advance(5_000);
  expect(done).toEqual(['resume', 'stop']);
  page.show('hidden');
  end();
  page.show('visible');
  await clock.advance(10_000);
  expect(done).toEqual(['resume', 'stop']);
});

it('a page that is opened in the background counts as hidden', async () => {
  const clock = createFakeClock();
  const page = createPage();
  page.visibilityState = 'hidden';
  let stops = 0;
  const stop = () => {
    stops += 1;
  };
  pauseWhenHidden({ stop, resume: () => {} }, page, clock);
  await clock.advance(5_000);
  expect(stops).toBe(1);
});

it('a stream stops at once when its page is left, and resumes when the user comes back', async () => {
  const clock = createFakeClock();
  const page = createPage();
  const done: string[] = [];
  const following = { stop: () => done.push('stop'), resume: () => done.push('resume') };
  const end = pauseWhenHidden(following as never, page, clock);
  page.defaultView.dispatchEvent(new Event('pagehide'));
  expect(done).toEqual(['stop']);
  page.defaultView.dispatchEvent(new Event('pageshow'));
  expect(done).toEqual(['stop', 'resume']);
  end();
  page.defaultView.dispatchEvent(new Event('pagehide'));
  expect(done).toEqual(['stop', 'resume']);
});

it('a stream stops at once when its page is frozen, and resumes afterwards', () => {
  const page = createPage();
  const done: string[] = [];
  const following = { stop: () => done.push('stop'), resume: () => done.push('resume') };
  const end = pauseWhenHidden(following as never, page, createFakeClock());
  page.dispatch('freeze');
  page.dispatch('resume');
  end();
  page.dispatch('freeze');
  expect(done).toEqual(['stop', 'resume']);
});
