<html><?php if (true): ?>function notCode() {}<?php endif; ?></html>
<?php
declare(strict_types=1);
namespace App\Models;
use Some\Thing;
// class Fake {}
const LIMIT = 3;
/** Does a thing. */
function top(array $a, ?int ...$more): ?string { return 'function inString() {}'; }
#[Entity('class X {}')]
abstract class Sample extends Base implements One, Two
{
    use SomeTrait;
    public const A = 1;
    protected static ?array $cache = null;
    public function __construct(private readonly string $name, int $other) {}
    abstract protected function &reference(): array;
    public static function make(): static {
        $f = function () { return 1; };
        $g = fn($x) => $x;
        function insideMethod() {}
        return new class extends Base { public function anonymous() {} };
    }
    final public function text(): string {
        return <<<EOT
function inHeredoc() {}
EOT;
    }
}
interface Shape { const X = 1; public function area(): float; }
trait Loggable { private function log(string $m): void {} }
enum Suit: string { case Hearts = 'H'; public function label(): string { return ''; } }
if (!function_exists('helper')) {
    function helper() {}
}
final readonly class Value {}
