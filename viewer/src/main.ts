// The pages: the report of a run and the page of a study, by what is in the file.
import { Theme } from './colors';
import { Controls } from './controls';
import { loadPage } from './data';
import { element } from './format';
import { makeHeader } from './header';
import { ModeTable } from './modes';
import { Player } from './player';
import { Plots } from './plots';
import { Stage } from './stage';
import { showStudy, StudyData } from './study';

const byId = (id: string) => document.getElementById(id)!;

/// A button that switches between light and dark, which begins with what the system prefers.
function themes(apply: () => (theme: Theme) => void): { button: HTMLElement; begin: () => void } {
  let theme: Theme = 'light';
  const set = (wanted: Theme) => {
    theme = wanted;
    document.documentElement.dataset.theme = wanted;
    apply()(wanted);
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  return {
    button: element('button', { type: 'button', id: 'theme', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: () => set(theme === 'dark' ? 'light' : 'dark') }, '◐'),
    begin: () => {
      dark.addEventListener('change', () => set(dark.matches ? 'dark' : 'light'));
      set(dark.matches ? 'dark' : 'light');
    },
  };
}

function startStudy(data: StudyData): void {
  const { button, begin } = themes(() => study.setTheme), study = showStudy(data, document.body, button);
  begin();
  Object.assign(window, { filumStudy: { data, plots: study.plots } });  // for scripts that read the page
}

async function startReport(): Promise<void> {
  const page = await loadPage();
  const { button: themeButton, begin } = themes(() => (wanted) => { stage?.setTheme(wanted); plots.setTheme(wanted); });
  makeHeader(byId('head'), page, themeButton);

  const starts = page.runs.map((r) => r.time[0]), ends = page.runs.map((r) => r.time[r.time.length - 1]);
  let changed = true;
  const modes = page.runs[0].facts.modes;
  const player = new Player(Math.min(...starts), Math.max(...ends), () => { changed = true; }, { isTime: page.runs[0].isTimed, unit: page.runs[0].facts.axis.unit, rate: modes && 0.5 });
  const table = modes ? new ModeTable(byId('plots'), modes, player, page.runs[0].facts.units?.time) : null;
  const plots = new Plots(byId('plots'), page, (t) => { player.play(false); player.seek(t); });

  let stage: Stage | null = null, controls: Controls | null = null;
  try {
    stage = new Stage(byId('view'), page.runs);
    controls = new Controls(byId('controls'), player, stage, page.runs.length > 1 ? 'comparison' : 'motion');
  } catch (error) {
    console.error(error);
    byId('view').append(element('p', { class: 'warning' }, `The motion cannot be drawn (${(error as Error).message}); it needs WebGL. The plots work without.`));
  }

  begin();

  byId('foot').append(`Made by filum${page.runs[0].about.summary ? ` ${page.runs[0].about.summary.filum}` : ''}. Drag to turn, right drag or two fingers to move, wheel or pinch to zoom; press ? for keys.`);

  const draw = (now: number) => {
    player.advance(now);
    if (changed) {
      changed = false;
      stage?.setTime(player.time);
      plots.setTime(player.time);
      controls?.update();
    }
    stage?.render();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  if (!page.runs[0].isTimed && !modes) player.seek(player.end);  // the result of a path is its last point
  else if (stage && !matchMedia('(prefers-reduced-motion: reduce)').matches) player.play(true);
  Object.assign(window, { filumReport: { page, player, stage, plots, table } });  // for scripts that read the page
}

async function start(): Promise<void> {
  const study = document.getElementById('filum-study');
  if (study) startStudy(JSON.parse(study.textContent!) as StudyData);
  else await startReport();
  document.documentElement.dataset.state = 'ready';
}

start().catch((error: unknown) => {
  document.documentElement.dataset.state = 'failed';
  (document.getElementById('head') ?? document.body).append(element('p', { class: 'warning' }, `The page cannot be shown: ${String(error)}`));
  console.error(error);
});
