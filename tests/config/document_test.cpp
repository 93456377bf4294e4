/// Documents, overrides and readers. User document: docs/guide/error-messages.md.
#include <filum/config/reader.hpp>
#include <filum/config/writer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::config {
namespace garden {

enum class Colour { red, green };
struct Shade {
  double amount = 0;
};
struct Plant {
  std::string name;
  Colour colour = Colour::green;
  Shade shade;
  Number height = 1;
  std::optional<Eigen::Vector3d> at;
  std::vector<double> leaves;
  double share = 0.5;
};
struct Garden {
  std::string title;
  int beds = 1;
  Symbols symbols;
  Settings set;
  std::vector<Plant> plants;
};

template <class A>
void fields(A& a, Plant& x) {
  a("name", x.name, required);
  a("colour", x.colour);
  a("shade", x.shade);
  a("height", x.height, Rule{.sign = Sign::positive, .of = {"t"}});
  a("at", x.at);
  a("leaves", x.leaves, positive);
  a("share", x.share, not_negative);
}
template <class A>
void fields(A& a, Garden& x) {
  a("title", x.title);
  a("beds", x.beds, positive);
  a.symbols(x.symbols);
  if constexpr (std::is_same_v<A, Reader>) a("set", x.set);
  a("plant", x.plants);
}

// A type with a way of its own.
void read_value(Reader& reader, const Node& node, Shade& shade, const std::string& path, const Rule& rule) {
  if (!node.is_text()) return read_value(reader, node, shade.amount, path, rule);
  if (reader.word(node, path, {"full"}) == 0) shade.amount = 1;
}
std::string format_value(const Writer& writer, const Shade& shade) {
  return shade.amount == 1 ? "\"full\"" : format_value(writer, shade.amount);
}

}  // namespace garden

template <>
const Words& words_of<garden::Colour>() {
  static const Words words{"red", "green"};
  return words;
}

namespace {

using garden::Garden;
using testing::HasSubstr;

const std::string garden_text = R"toml(title = "mine"
beds = 2
[parameters]
tall = 3
[functions]
grow = { points = [[0, 0], [1, 2]] }
[[plant]]
name = "rose"
colour = "red"
shade = "full"
height = "tall*grow(t)"
at = [1, "2*tall", 3]
leaves = [1, 2]
[[plant]]
name = "oak"
share = 1
)toml";

Garden read(const std::string& document, const std::vector<Override>& overrides = {}) {
  Node root = parse_document(document, "garden.toml");
  ReadingContext context;
  for (const Override& o : overrides)
    apply_override(root, o, {{"parameters", "parameter"}, {"functions", "function"}}, context.problems);
  Garden garden;
  context.leading = {"b.first"};
  read_document(root, garden, context);
  std::vector<Problem> more;
  for (const garden::Plant& p : garden.plants) {
    const std::string key = "plant." + p.name;
    const auto complain = [&](const std::string& k, const char* what) {
      more.push_back({context.places.find(k), k, what});
    };
    if (p.share > 1) complain(key + ".share", "more than all");
    if (p.at && p.at->isZero()) complain(key + ".at", "not there");
  }
  add_unless_known(context.problems, more);
  refuse_problems(context.problems);
  return garden;
}

std::string complaints(const std::string& document, const std::vector<Override>& overrides = {}) {
  try {
    read(document, overrides);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Document, KnowsWhereEverythingStands) {
  const Node root = parse_document("a = 1\n[b]\nc = [2.5, \"x\"]\nd = { e = true }\nf = 1979-05-27\n", "f.toml");
  const Table& table = *root.as<Table>();
  const Table::Entry* b = table.find("b");
  ASSERT_TRUE(b && b->value.is_table());
  const Table::Entry* c = b->value.as<Table>()->find("c");
  EXPECT_EQ(c->place.line, 3);
  EXPECT_EQ(c->place.column, 1);
  EXPECT_EQ((*c->value.as<List>())[1].place().column, 11);
  EXPECT_EQ((*c->value.as<List>())[0].number(), 2.5);
  EXPECT_EQ(root.as<Table>()->find("z"), nullptr);
  EXPECT_EQ(b->value.toml(), "{ c = [2.5, \"x\"], d = { e = true }, f = \"a date or time\" }");
  EXPECT_EQ(b->value.as<Table>()->find("f")->value.described(), "a date or time");
}

TEST(Document, RefusesKeysThatWouldExhaustTheStack) {
  std::string key = "a";
  for (int i = 0; i < 200000; ++i) key += ".a";
  for (const std::string& bad :
       {key + " = 1\n", "[" + key + "]\n", "x = 1\n\"" + std::string("q\"") + key.substr(1) + " = 1\n"}) {
    try {
      parse_document(bad, "f.toml");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("more than 64 parts"));
    }
  }
  const std::string dots(500, '.');
  EXPECT_NO_THROW(parse_document(
      "# " + dots + "\na = \"" + dots + "\"\nb = '''\n" + dots + "'''\nc = 1 # it's " + dots + "\n", "f"));
  EXPECT_THROW(parse_document(std::string(5000, '['), "f.toml"), InputError);
  EXPECT_THROW(parse_document("a = " + std::string(100, '[') + std::string(100, ']'), "f.toml"), InputError);
}

TEST(Reader, ReadsEveryKindOfValue) {
  const Garden g = read(garden_text);
  EXPECT_EQ(g.beds, 2);
  ASSERT_EQ(g.plants.size(), 2u);
  EXPECT_EQ(g.plants[0].colour, garden::Colour::red);
  EXPECT_EQ(g.plants[0].shade.amount, 1);
  EXPECT_EQ(g.plants[0].height(0.5), 3);
  EXPECT_EQ((*g.plants[0].at)[1], 6);
  EXPECT_EQ(g.plants[1].share, 1);
}

TEST(Reader, WritesWhatItReads) {
  const std::string once = document_text(read(garden_text)), twice = document_text(read(once));
  EXPECT_EQ(once, twice);
  EXPECT_THAT(once, HasSubstr("height = \"tall*grow(t)\""));
  EXPECT_THAT(once, HasSubstr("shade = \"full\""));
  EXPECT_THAT(once, HasSubstr("at = [1, 6, 3]"));
}

TEST(Reader, NamesMistakesInTheOrderOfTheFile) {
  EXPECT_EQ(
      complaints("beds = 1.5\ntitel = 1\n[[plant]]\ncolour = \"rd\"\nshade = \"ful\"\nheight = \"2*grwo\"\n"
                 "leaves = [1, -1]\n[pond]\n"),
      "garden.toml:1:8: beds: expected a whole number below 1e9, found 1.5\n"
      "garden.toml:2:1: titel: unknown key; did you mean 'title'?\n"
      "garden.toml:3:1: plant.0.name: this key is missing\n"
      "garden.toml:4:10: plant.0.colour: expected 'red' or 'green', found 'rd'; did you mean 'red'?\n"
      "garden.toml:5:9: plant.0.shade: expected 'full', found 'ful'; did you mean 'full'?\n"
      "garden.toml:6:13: plant.0.height: in the formula '2*grwo': unknown name 'grwo'; try: define it in [parameters]\n"
      "garden.toml:7:14: plant.0.leaves[1]: expected a positive number, found -1\n"
      "garden.toml:8:2: pond: unknown key; expected 'title', 'beds', 'parameters', 'functions', 'set' or 'plant'");
}

TEST(Reader, SaysWhatToDoAboutTextThatIsNotToml) {
  const std::pair<const char*, const char*> cases[] = {
      {"a = circle\n", "1:5: not valid TOML: this is no value; try: quotes around words and formulas"},
      {"a = 210 GPa\n",
       "1:9: not valid TOML: expected a comment or whitespace, saw 'G'; try: a plain number without a unit, or a "
       "formula "
       "in quotes"},
      {"a = \"x\n", "1:7: not valid TOML: the closing quote is missing on this line"},
      {"a = { b = 1,\n c = 2 }\n",
       "1:13: not valid TOML: a table in braces { } has to end on the line where it begins"},
      {"[time\n", "1:6: not valid TOML: expected ']', saw the end of the line"},
      {"a = [1 2]\n", "1:8: not valid TOML: expected comma or closing ']', saw '2'"}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(complaints(text), std::string("garden.toml:") + expected) << text;
}

TEST(Reader, SaysWhichVariablesAValueCannotDependOn) {
  EXPECT_THAT(complaints("beds = \"2*t\"\n"), HasSubstr("unknown name 't', because this value cannot depend on it"));
  EXPECT_THAT(complaints("beds = \"2*sin\"\n"), HasSubstr("'sin' is a function: its arguments go in parentheses"));
}

TEST(Reader, ReadsParametersInTheOrderTheyNeed) {
  std::string chain = "[parameters]\n";
  for (int i = 0; i < 500; ++i) chain += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + " + 1\"\n";
  EXPECT_EQ(read(chain + "p500 = 0\n").symbols.parameters.at("p0"), 500);
  EXPECT_EQ(complaints("[parameters]\na = \"b\"\nb = \"c\"\nc = \"b\"\n"),
            "garden.toml:3:5: parameters.b: its formula depends on itself\n"
            "garden.toml:4:5: parameters.c: its formula depends on itself");
  EXPECT_THAT(complaints("[functions]\nf = \"g(t)\"\ng = \"f(t)\"\n"),
              HasSubstr("functions.f: its formula depends on itself"));
}

TEST(Reader, CountsWhatItDoesNotPrint) {
  std::string many;
  for (int i = 0; i < 50; ++i) many += "x" + std::to_string(i) + " = 1\n";
  const std::string found = complaints(many);
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 20);
  EXPECT_THAT(found, testing::EndsWith("\n... and 30 more"));
}

TEST(Reader, ShortensWhatIsTooLong) {
  EXPECT_LT(complaints(std::string(5000, 'k') + " = 1\n").size(), 400u);
  EXPECT_LT(complaints("beds = \"" + std::string(5000, 'k') + "\"\n").size(), 400u);
  EXPECT_LT(complaints("", {"beds=" + std::string(5000, 'k')}).size(), 400u);
  EXPECT_EQ(shortened("\xc3\xa4\xc3\xa4\xc3\xa4", 5), "\xc3\xa4...") << "not in the middle of a character";
}

TEST(Overrides, ReachEveryValue) {
  EXPECT_EQ(read(garden_text, {"plant.rose.share=0.25"}).plants[0].share, 0.25);
  EXPECT_EQ(read(garden_text, {"plant.1.share=1/8"}).plants[1].share, 0.125);
  EXPECT_EQ((*read(garden_text, {"plant.rose.at.2=7"}).plants[0].at)[2], 7);
  EXPECT_EQ((*read(garden_text, {"plant.oak.at=[1, 2, 3]"}).plants[1].at)[2], 3);
  EXPECT_EQ(read(garden_text, {"title=a b"}).title, "a b");
  EXPECT_EQ(read(garden_text, {"parameters.tall=5"}).plants[0].height(0.5), 5);
  EXPECT_EQ(read(garden_text, {"beds=3", "beds=4"}).beds, 4);
}

TEST(Overrides, ReachAllEntriesOfAListWithAStar) {
  const Garden garden = read(garden_text, {"plant.*.share=0.25", "plant.oak.share=0.5"});
  EXPECT_EQ(garden.plants[0].share, 0.25);
  EXPECT_EQ(garden.plants[1].share, 0.5);
  EXPECT_EQ(*read(garden_text, {"plant.rose.at.*=7"}).plants[0].at, (Eigen::Vector3d{7, 7, 7}));
  EXPECT_THAT(complaints(garden_text, {"plant.*.shara=1"}),
              HasSubstr("--set plant.*.shara=1: plant.rose.shara: unknown key"));
  EXPECT_THAT(complaints(garden_text, {"plant.*.name.x=1"}),
              HasSubstr("plant.*.name.x: this key goes into a value that is neither a table nor a list"));
  EXPECT_EQ(complaints("plant = []\n", {"plant.*.share=1"}),
            "--set plant.*.share=1: plant.*: there is no entry for '*' to match");
}

TEST(Overrides, AreNamedWhenTheyAreWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"bedz=1", "--set bedz=1: bedz: unknown key; did you mean 'beds'?"},
      {"beds", "--set beds: expected KEY=VALUE, such as time.step=2^-9"},
      {"beds=", "--set beds=: expected KEY=VALUE, such as time.step=2^-9"},
      {"beds=-1", "--set beds=-1: beds: expected a positive number, found -1"},
      {"beds.x=1", "--set beds.x=1: beds.x: this key goes into a value that is neither a table nor a list"},
      {"plant..x=1", "--set plant..x=1: plant.: a part of the key is empty"},
      {"plant.rsoe.share=1",
       "--set plant.rsoe.share=1: plant.rsoe: there is no such entry among 2: expected a number or 'rose' or 'oak'; "
       "did "
       "you mean 'rose'?"},
      {"plant.7.share=1", "--set plant.7.share=1: plant.7: there is no such entry among 2"},
      {"parameters.tal=1", "--set parameters.tal=1: parameters.tal: there is no parameter 'tal'; did you mean 'tall'?"},
      {"parameters.qqqq=1", "--set parameters.qqqq=1: parameters.qqqq: there is no parameter 'qqqq'; expected 'tall'"},
      {"functions.gro=t", "--set functions.gro=t: functions.gro: there is no function 'gro'; did you mean 'grow'?"}};
  for (const auto& [assignment, expected] : cases) EXPECT_EQ(complaints(garden_text, {assignment}), expected);
  EXPECT_EQ(complaints("beds = 1\n", {"parameters.x=1"}),
            "--set parameters.x=1: parameters.x: there is no parameter 'x'");
}

TEST(Overrides, AreBlamedByChecksThatComeAfterReading) {
  EXPECT_EQ(complaints(garden_text, {"plant.oak.share=2"}), "--set plant.oak.share=2: plant.oak.share: more than all");
  EXPECT_EQ(complaints(garden_text, {"plant.rose.share=2"}),
            "--set plant.rose.share=2: plant.rose.share: more than all");
  EXPECT_EQ(complaints(garden_text + "at = [1, 0, 0]\n", {"plant.oak.at.0=0"}),
            "--set plant.oak.at.0=0: plant.oak.at: not there");
}

TEST(Overrides, HaveKeysOfAtMost64Parts) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  EXPECT_THAT(complaints(garden_text, {key + "=1"}), HasSubstr("a key may have at most 64 parts, this one has 100001"));
}

TEST(Settings, AreFlatAndLeadingKeysComeFirst) {
  const Garden g = read("[set]\na = 1\nb.second = [1, 2.0]\nb.first = \"x\"\n\"c.d\" = { e = 1 }\n");
  const Settings expected{{"b.first", "x"}, {"a", "1"}, {"b.second", "[1, 2.0]"}, {"c.d", "{ e = 1 }"}};
  EXPECT_EQ(g.set, expected);
}

TEST(NearestWord, IgnoresWhatIsTooFarAway) {
  EXPECT_EQ(nearest_word("lenght", {"length", "radius"}), "length");
  EXPECT_EQ(nearest_word("xyz", {"length", "radius"}), "");
  EXPECT_EQ(nearest_word("d", {"e", "t"}), "");
  EXPECT_EQ(nearest_word("T", {"e", "t"}), "t");
}

TEST(Places, AreFoundByTheirBeginnings) {
  Places places;
  places.set("", {"f", 1, 1});
  places.set("beam.rod", {"f", 7, 1});
  EXPECT_EQ(places.find("beam.rod.nodes[3]").line, 7);
  EXPECT_EQ(places.find("time.end").line, 1);
  places.set("beam.rod.mass", override_place("beam.rod.mass=1"));
  places.set("beam.rodeo", override_place("beam.rodeo=1"));
  EXPECT_EQ(places.overridden("beam.rod"), Words{"beam.rod.mass"});
  EXPECT_TRUE(override_place("a.b=1").is_override("a.b"));
  EXPECT_FALSE(override_place("a.b=1").is_override("a"));
}

}  // namespace
}  // namespace filum::config
