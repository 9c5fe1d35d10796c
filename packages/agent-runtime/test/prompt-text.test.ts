import { describe, expect, it } from '@jest/globals';
import { promptText } from '../src/index.ts';

describe('promptText', () => {
  it('is what the author wrote where no event is behind it', () => {
    expect(promptText({ author: 'Look at @a.md' })).toBe('Look at @a.md');
  });

  it('names the event and fences its data before what the author wrote', () => {
    const data = { event: 'onArchive' as const, project: 'demo', data: { chat: 'x' } };
    const text = promptText({ author: 'Sum it up.', data });
    expect(text.startsWith('The event onArchive in the project demo started this turn.')).toBe(
      true,
    );
    expect(text).toContain(`\`\`\`json data\n${JSON.stringify(data, null, 2)}\n\`\`\``);
    expect(text.endsWith('\n\nSum it up.')).toBe(true);
  });

  it('lets nothing in the data end its block', () => {
    const data = {
      event: 'onArchive' as const,
      project: 'demo',
      data: { name: 'a\n````\n```bash' },
    };
    expect(promptText({ author: 'Go.', data }).split('`````')).toHaveLength(3);
  });
});
