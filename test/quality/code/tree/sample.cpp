// class Fake {};
#include <vector>
namespace a::b {
namespace {
int hidden() { return 1; }
}
template <typename T, int N = 3>
class Stack : public Base<T>, private Other {
 public:
  using value_type = T;
  Stack() = default;
  explicit Stack(int n) : n_(n) {}
  virtual ~Stack() {}
  Stack(const Stack&) = delete;
  T& operator[](int i) { return items_[i]; }
  operator bool() const { return true; }
  template <class U> auto map(U&& f) const -> std::vector<decltype(f(T()))> { return {}; }
  virtual void draw(int x) const = 0;
  static int count() noexcept;
  class Inner { void deep() {} };
  struct Point { int x, y; };
  enum class Mode : char { On, Off };
  friend bool operator==(const Stack& a, const Stack& b) { return true; }
 private:
  std::vector<T> items_;
  int n_ = 0;
  int (*callback_)(int);
};
template <typename T, int N>
int Stack<T, N>::count() noexcept { return 0; }
struct Plain final { int a; };
enum Old { ONE, TWO };
typedef std::vector<int> Numbers;
template <class T> using Pair = std::pair<T, T>;
constexpr int limit = 3;
static const char* text = R"(class InRaw { void f() {} };)";
auto lambda = [](int x) { return x; };
void overloaded(int a);
void overloaded(double a) { auto local = [&] { return a; }; struct Local { void m() {} }; }
std::vector<int> const& reference() { static std::vector<int> v; return v; }
}  // namespace a::b
a::b::Plain* a_b_make() { return nullptr; }
extern "C" { int exported(void) { return 1; } }
template <class T> concept Small = sizeof(T) < 8;
union Bits { float f; unsigned u; };
int main(int argc, char** argv) try { return 0; } catch (...) { return 1; }
