// Buttons, sliders and keys of the player.
import { viridisGradient } from './colors';
import { download, element, number, withUnit } from './format';
import { Player } from './player';
import { LayerName } from './primitives';
import { Stage, ViewName } from './stage';

const help: [string, string][] = [
  ['Space', 'play or pause'], ['← →', 'one frame back or on (with Shift ten)'], ['Home, End', 'first or last frame'], ['+ −', 'faster or slower'], ['L', 'loop'],
  ['F', 'fit everything into the picture'], ['0', 'first view'], ['1 2 3', 'view along x, y, z'], ['C', 'next colouring'], ['T', 'trails'], ['N', 'earlier shapes'], ['G', 'ground grid'],
  ['S', 'section frames'], ['K', 'tubes as thick as they are'], ['J', 'joints'], ['A', 'loads'], ['O', 'follow the motion'], ['?', 'this list'],
];

export class Controls {
  private readonly playButton: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly clock: HTMLOutputElement;
  private readonly speed: HTMLSelectElement;
  private readonly coloring: HTMLSelectElement;
  private readonly scale: HTMLElement;
  private readonly dialog: HTMLDialogElement;
  private readonly toggles = new Map<string, { button: HTMLButtonElement; act: (on: boolean) => void }>();

  constructor(host: HTMLElement, private readonly player: Player, private readonly stage: Stage, name: string) {
    const first = stage.views[0], fields = first.coloring.choices;
    this.playButton = element('button', { type: 'button', id: 'play', 'aria-label': 'Play', onclick: () => player.play(!player.isPlaying) });
    this.scrub = element('input', { type: 'range', id: 'scrub', min: player.start, max: player.end, step: 'any', value: player.start, 'aria-label': 'Time',
      oninput: () => { player.play(false); player.seek(Number(this.scrub.value)); } });
    this.clock = element('output', { id: 'clock', for: 'scrub' });
    this.speed = element('select', { id: 'speed', 'aria-label': 'Speed', title: player.isReal ? 'Real time is what a clock shows' : 'Speed',
      onchange: () => { player.speed = Number(this.speed.value); } }, ...player.speeds.map((s) => element('option', { value: String(s) }, player.speedName(s))));
    this.speed.value = String(player.speed);
    this.coloring = element('select', { id: 'coloring', 'aria-label': 'Colour by', onchange: () => this.recolor() }, element('option', { value: '' }, 'Plain colour'),
      ...fields.map((f) => element('option', { value: f.name }, f.label)));
    this.scale = element('div', { id: 'scale' });
    this.dialog = element('dialog', { 'aria-label': 'Keys' }, element('h2', {}, 'Keys'),
      element('dl', {}, ...help.flatMap(([key, what]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, what)])),
      element('form', { method: 'dialog' }, element('button', {}, 'Close')));
    const button = (text: string, label: string, act: () => void) => element('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
    const views = (['x', 'y', 'z'] as ViewName[]).map((v) => button(v, `View along ${v}`, () => stage.look(v)));
    const layer = (key: LayerName) => (on: boolean) => { for (const v of stage.views) { v.layers[key].visible = on; v.update(); } stage.touch(); };
    const has = (key: LayerName) => first.layers[key].children.length > 0;
    host.append(
      element('div', { class: 'row timeline' }, this.playButton, this.scrub, this.clock),
      element('div', { class: 'row' },
        element('span', { class: 'group' }, this.speed, this.toggle('Loop', 'l', player.loop, (on) => { player.loop = on; })),
        element('span', { class: 'group' }, button('⤢ Fit', 'Fit everything into the picture', () => stage.fit()), button('⌂', 'First view', () => stage.look('home')), ...views),
        element('span', { class: 'group' }, this.toggle('Follow', 'o', stage.follow, (on) => stage.setFollow(on)), this.toggle('Grid', 'g', true, (on) => { stage.gridVisible = on; }),
          this.toggle('Trails', 't', true, layer('trails')),
          ...(has('frames') ? [this.toggle('Snapshots', 'n', true, layer('snapshots')), this.toggle('Sections', 's', false, layer('frames'))] : []),
          ...(stage.views.some((v) => v.canBeThinner) ? [this.toggle('True thickness', 'k', false, (on) => { for (const v of stage.views) v.setTrueThickness(on); stage.touch(); })] : []),
          ...(has('joints') ? [this.toggle('Joints', 'j', true, layer('joints'))] : []),
          ...(has('loads') ? [this.toggle('Loads', 'a', true, layer('loads'))] : [])),
        element('span', { class: 'group' }, button('PNG', 'Save the picture as PNG', async () => download(`${name}.png`, await stage.snapshot())),
          button('?', 'Keys', () => this.dialog.showModal()))),
      ...(fields.length ? [element('div', { class: 'row' }, element('label', {}, 'Colour ', this.coloring), this.scale)] : []),
      this.trailChoice(), this.dialog);
    for (const view of stage.views) view.layers.frames.visible = false;
    if (fields.length && stage.views.length === 1 && !first.run.facts.modes) this.coloring.value = stage.follow ? 'speed' : 'moment';
    if (this.coloring.value === undefined || this.coloring.selectedIndex < 0) this.coloring.selectedIndex = 0;
    this.recolor();
    document.addEventListener('keydown', (event) => this.key(event));
  }

  private toggle(text: string, key: string, on: boolean, act: (on: boolean) => void): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'toggle', 'aria-pressed': String(on), title: `${text} (${key.toUpperCase()})`, onclick: () => this.flip(key) }, text);
    this.toggles.set(key, { button, act });
    return button;
  }

  private flip(key: string): void {
    const { button, act } = this.toggles.get(key)!, on = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(on));
    act(on);
  }

  private trailChoice(): HTMLElement {
    const boxes = this.stage.views[0].trails.list.slice(0, 60).map((trail, i) => {
      const box: HTMLInputElement = element('input', { type: 'checkbox', checked: trail.on,
        onchange: () => { for (const v of this.stage.views) if (v.trails.list[i]) v.trails.show(i, box.checked); this.stage.touch(); } });
      return element('label', {}, box, ` ${trail.label}`);
    });
    return element('details', { class: 'trails' }, element('summary', {}, 'Trails of points'), element('div', { class: 'choices' }, ...boxes));
  }

  private recolor(): void {
    const name = this.coloring.value || null, ranges = this.stage.views.map((v) => v.coloring.set(name)).filter((r) => r !== null);
    this.scale.replaceChildren();
    if (ranges.length) {
      const low = Math.min(...ranges.map((r) => r.low)), high = Math.max(...ranges.map((r) => r.high));
      for (const view of this.stage.views) view.coloring.setRange(low, high);
      const bar = element('span', { class: 'bar', role: 'img', 'aria-label': `Colours from ${number(low)} to ${number(high)}` });
      bar.style.background = viridisGradient();
      this.scale.append(element('span', {}, number(low, 3)), bar, element('span', {}, number(high, 3)));
    }
    this.stage.touch();
  }

  private step(count: number): void {
    const { time } = this.stage.views[0].run, t = this.player.time, small = 1e-9 * (this.player.end - this.player.start);
    let i = 0;
    while (i + 1 < time.length && time[i + 1] <= t + small) ++i;
    // Between two frames, back means to the one before.
    const target = count < 0 && t > time[i] + small ? i + count + 1 : i + count;
    this.player.play(false);
    this.player.seek(time[Math.min(time.length - 1, Math.max(0, target))]);
  }

  private changeSpeed(by: number): void {
    const { speeds } = this.player, i = Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(this.player.speed) + by));
    this.player.speed = speeds[i];
    this.speed.value = String(speeds[i]);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement, typing = /^(SELECT|TEXTAREA)$/.test(target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || typing || this.dialog.open) return;
    const onButton = target.tagName === 'BUTTON' || target.tagName === 'SUMMARY' || target.getAttribute('type') === 'checkbox';
    const actions: Record<string, () => void> = {
      ' ': () => this.player.play(!this.player.isPlaying), ArrowLeft: () => this.step(event.shiftKey ? -10 : -1), ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.player.seek(this.player.start), End: () => this.player.seek(this.player.end), '+': () => this.changeSpeed(1), '=': () => this.changeSpeed(1),
      '-': () => this.changeSpeed(-1), f: () => this.stage.fit(), 0: () => this.stage.look('home'), 1: () => this.stage.look('x'), 2: () => this.stage.look('y'), 3: () => this.stage.look('z'),
      c: () => { this.coloring.selectedIndex = (this.coloring.selectedIndex + 1) % this.coloring.length; this.recolor(); }, '?': () => this.dialog.showModal(),
    };
    for (const key of this.toggles.keys()) actions[key] = () => this.flip(key);
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (event.key === ' ' && onButton)) return;
    event.preventDefault();
    action();
  }

  update(): void {
    const { isPlaying, time, start, end } = this.player;
    const label = isPlaying ? 'Pause' : 'Play';
    if (this.playButton.getAttribute('aria-label') !== label || !this.playButton.textContent) {
      this.playButton.setAttribute('aria-label', label);
      this.playButton.textContent = isPlaying ? '❚❚' : '►';
    }
    this.scrub.min = String(start);
    this.scrub.max = String(end);
    this.scrub.value = String(time);
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end - start || 1))));
    const { axis, modes } = this.stage.views[0].run.facts, name = axis.label === 'time' ? 't' : axis.label;
    // Every mode swings once in a unit of time of its own.
    const now = modes ? `phase ${Math.round(360 * (time - start))}°` : withUnit(`${name} = ${time.toFixed(digits)}`, axis.unit);
    this.clock.textContent = now;
    this.scrub.setAttribute('aria-valuetext', modes ? now : `${now} of ${number(end)}`);
  }
}
