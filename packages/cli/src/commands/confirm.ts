import { createTwoFilesPatch } from 'diff';
import type { Command } from '../command.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';

/** Shows a project.yaml that an agent may have changed, and puts it in effect. */
export const confirm: Command = {
  name: 'confirm',
  group: 'Act',
  summary: 'confirm a project.yaml that an agent may have changed',
  usage: ['PROJECT'],
  arguments: { PROJECT: 'project' },
  takes: 'a project.',
  options: { '--etag ETAG': 'put the version with this etag in effect' },
  isRemote: true,
  description: `
Show how the project.yaml of a project differs from the version in effect, if the file was replaced while an agent could change
it. Changes of such a file wait, because they may come from the agent. With --etag, as printed, the version takes effect. To
reject it, restore the earlier file instead.`,
  json: 'the response of POST …/confirm-file.',
  async run(context) {
    const [slug = ''] = context.arguments;
    const { etag } = context.options;
    const body = typeof etag === 'string' ? { etag } : {};
    const path = '/api/projects/{slug}/confirm-file';
    const answer = await withService(context, ({ api }) =>
      answerOf(api.POST(path, { params: { path: { slug } }, body }), 'confirmed'),
    );
    const { confirmed, inEffect, current } = answer;
    const lines = confirmed
      ? [`project.yaml of ${slug} is confirmed and in effect.`]
      : [
          ...patchOf(inEffect ?? '', current),
          `To put this version in effect: svc confirm ${slug} --etag ${answer.etag}`,
        ];
    printResult(context, answer, lines);
    return 0;
  },
};

function patchOf(inEffect: string, current: string): readonly string[] {
  const patch = createTwoFilesPatch('in effect', 'project.yaml', inEffect, current);
  return patch.trimEnd().split('\n').slice(1);
}
